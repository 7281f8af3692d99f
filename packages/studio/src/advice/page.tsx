/** The view "Which topology?": the library's adviser as a form, with its reasons, and every row to be seen elsewhere. */

import { useSignal } from "@preact/signals";
import { type Advice, algorithms } from "equitopo";
import { leftOut } from "equitopo/internal/advise";
import { useEffect } from "preact/hooks";
import { leastSquares } from "../export/specs.ts";
import type { PageBody } from "../page.ts";
import { Control, Controls, More, Segments } from "../part/control.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { change, view } from "../store.ts";
import type { View } from "../view/view.ts";
import { commandOf, goals, questionOf } from "./question.ts";
import { Ranking } from "./ranking.tsx";
import { inTitles } from "./rows.ts";

/** Milliseconds without a change before the adviser is asked: a slider that is dragged asks once. */
const CALM_MS = 300;

function AdviceControls() {
  const { goal, degree, tolerance } = view.value;
  const isLearning = goal !== "average";
  return (
    <section class="controls" aria-label="What you want and have">
      <Control
        name="goal"
        choices={goals}
        note={
          isLearning ? "the relative error of an algorithm that learns" : "all nodes hold the mean of their vectors"
        }
      />
      <Control name="n" note="how many take part" />
      <Segments
        label="Degree"
        note="the most nodes that one hears from in a round"
        value={degree === undefined ? "any" : degree === 1 ? "1" : "few"}
        choices={{ "1": "one", few: "a few", any: "any" }}
        onChange={(value) =>
          change({ degree: value === "any" ? undefined : value === "1" ? 1 : Math.max(2, degree ?? 2) })
        }
      />
      {degree === undefined || degree === 1 ? null : <Control name="degree" />}
      <Controls names={["undirected", "loss", "by", ...(isLearning ? (["heterogeneous"] as const) : [])]} />
      <More title={`Network${isLearning ? ", problem" : ""} and tolerance`}>
        <Controls names={["modelBytes", "latency", "bandwidth"]} />
        <Control name="tolerance" value={tolerance ?? (isLearning && !algorithms.get(goal).exact ? 0.01 : 1e-6)} />
        {isLearning ? <Controls names={["compute", "kappa", "b", "sigma"]} /> : null}
      </More>
    </section>
  );
}

function Panel() {
  const question = questionOf(view.value);
  const key = JSON.stringify(question);
  /** The question that was not changed for a while, and the one that was ended by hand. */
  const settled = useSignal(key);
  const ended = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = key;
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, [key, settled]);
  const isEnded = ended.value === key;
  const isAsked = settled.value === key && !isEnded;
  const { answer, answered, news, trouble } = useAnswer("advice", isAsked ? question : undefined);
  const isWhole = isAsked && JSON.stringify(answered) === key;
  const advice = news?.advice ?? answer;
  const asking = news ? `; asking ${inTitles(news.label)}, ${news.done + 1} of ${news.all}` : "";
  shown = advice;
  return (
    <div class="bench">
      <AdviceControls />
      <section class="stage" aria-label="Advice" aria-busy={!isWhole}>
        {trouble === undefined ? null : <p class="trouble">{trouble}</p>}
        {advice === undefined ? (
          <p class="empty">{trouble === undefined ? "Topologies are being weighed …" : ""}</p>
        ) : (
          <>
            {isWhole ? (
              <p class="why" id="why" aria-live="polite">
                {inTitles(advice.why)}
              </p>
            ) : null}
            <div class="row" id="asking">
              <span class="note">
                {isWhole
                  ? "All families that are registered were asked."
                  : isEnded
                    ? "Only the first families were asked."
                    : `The ranking so far, in which later ones find their places${asking}.`}
              </span>
              {isWhole || isEnded ? null : <progress aria-label="Asked" value={news?.done ?? 0} max={news?.all ?? 1} />}
              {isWhole ? null : (
                <button type="button" onClick={() => (ended.value = isEnded ? "" : key)}>
                  {isEnded ? "Ask all" : "End"}
                </button>
              )}
            </div>
            <Ranking advice={advice} />
            <details>
              <summary>Left out, and why</summary>
              <ul class="reasons">
                {leftOut(advice).map(([reason, names]) => (
                  <li key={reason}>
                    <b>{inTitles(names.join(", "))}</b>: {reason}
                  </li>
                ))}
              </ul>
            </details>
            <p class="caption">
              The same from a terminal: <code id="command">{commandOf(view.value)}</code>
            </p>
          </>
        )}
      </section>
    </div>
  );
}

/** What was advised last, for the export. */
let shown: Advice | undefined;

export const advicePage: PageBody = {
  Panel,
  sheets() {
    if (shown === undefined) return [];
    const kept = ["label", "certainty", "rounds", "seconds", "bytes", "degree", "gain", "step", "shift"] as const;
    const rows = shown.ranking.map((row) => kept.map((key) => row[key]));
    return [{ name: "ranking", columns: ["topology", ...kept.slice(1)], rows }];
  },
  exported(given: View) {
    return {
      document: leastSquares(given.topology, given.n, given.seed),
      commands: [commandOf(given), `${commandOf(given)} --spec advised.json && equitopo run advised.json`],
      says: "The topologies that the other views show; the second command writes the spec of the one that is advised.",
    };
  },
};
