/** The view "Which topology?": the library's adviser as a form, with its reasons, and every row to be seen elsewhere. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { trainable } from "../export/trainable.ts";
import type { Page } from "../page.ts";
import { useAnswer } from "../part/use-answer.ts";
import { view } from "../store.ts";
import type { View } from "../view.ts";
import { AdviceControls } from "./controls.tsx";
import { commandOf, questionOf } from "./question.ts";
import { Ranking } from "./ranking.tsx";
import { leftOut } from "./rows.ts";

/** After the last change so long, before the slow ones are asked. */
const CALM_MS = 700;

function Panel() {
  const quick = questionOf(view.value, "quick");
  const all = questionOf(view.value, "all");
  const key = JSON.stringify(all);
  /** The question that has stood long enough, and the one that was ended by hand. */
  const settled = useSignal("");
  const ended = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = key;
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, [key, settled]);
  const first = useAnswer("advice", quick);
  const isAsked = settled.value === key && ended.value !== key && !first.asking;
  const second = useAnswer("advice", isAsked ? all : undefined);
  const isWhole = isAsked && !second.asking && second.answer !== undefined;
  const advice = isWhole ? second.answer : first.answer;
  const trouble = first.trouble ?? (isAsked ? second.trouble : undefined);
  return (
    <div class="bench two">
      <AdviceControls />
      <section class="stage" aria-label="Advice" aria-busy={first.asking}>
        {trouble === undefined ? null : <p class="trouble">{trouble}</p>}
        {advice === undefined ? (
          <p class="empty">{trouble === undefined ? "Topologies are being weighed …" : ""}</p>
        ) : (
          <>
            <p class="why" id="why" aria-live="polite">
              {advice.why}
            </p>
            <div class="row" id="asking">
              {isWhole ? (
                <span class="note">All families that are registered were asked.</span>
              ) : ended.value === key ? (
                <>
                  <span class="note">Only the families whose numbers are known at once.</span>
                  <button type="button" onClick={() => (ended.value = "")}>
                    Ask the others
                  </button>
                </>
              ) : (
                <>
                  <span class="note">
                    {second.news === undefined
                      ? "Those whose numbers are known at once; the others follow."
                      : `Those whose numbers are known at once; asking ${second.news.label}, ${second.news.done + 1} of ${second.news.all}.`}
                  </span>
                  <progress aria-label="Asked" value={second.news?.done ?? 0} max={second.news?.all ?? 1} />
                  <button type="button" onClick={() => (ended.value = key)}>
                    End
                  </button>
                </>
              )}
            </div>
            <Ranking advice={advice} />
            <details>
              <summary>Left out, and why</summary>
              <ul class="reasons">
                {leftOut(advice).map(([reason, names]) => (
                  <li key={reason}>
                    <b>{names.join(", ")}</b>: {reason}
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

export const advicePage: Page = {
  id: "advice",
  title: "Which topology?",
  summary: "The library's adviser: what reaches your goal first on your network, how sure that is, and why.",
  Panel,
  exported(given: View) {
    const { n, topology, seed } = given;
    const { topologies, algorithm } = trainable(topology, n, "dsgd");
    return {
      document: {
        topologies,
        algorithms: [{ name: algorithm }],
        seeds: [seed],
        problem: { name: "least-squares" },
      },
      commands: [commandOf(given), `${commandOf(given)} --spec advised.json && equitopo run advised.json`],
      says: "The topologies that the other views show; the second command writes the spec of the one that is advised.",
    };
  },
};
