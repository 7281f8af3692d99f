/** The designer: a search in a worker for a circulant of the same degree that mixes better, and what it gained. */

import { useSignal } from "@preact/signals";
import { showCount, showRate } from "equitopo/internal/picture";
import { useEffect } from "preact/hooks";
import { Facts } from "../part/facts.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { change, view } from "../store.ts";
import type { SpectrumAnswer } from "../work/eigen.ts";
import type { Improvement, ImproveQuestion } from "../work/improve.ts";

/** Beyond it a single chunk takes too long for a page. */
const MOST_DEGREE = 64;

/** The question that this graph raises, or why none. */
function questionFor({ degree, symmetric }: SpectrumAnswer, n: number, seed: number): ImproveQuestion | string {
  if (degree < 2) return "A fixed circulant needs at least degree 2 to mix.";
  if (degree > MOST_DEGREE) return `The designer is run here up to degree ${MOST_DEGREE}.`;
  if (degree >= n) return "Every node already hears from all others.";
  if (symmetric && degree % 2 === 1 && n % 2 === 1) return "Undirected circulants of odd n have an even degree.";
  return { n, degree, directed: !symmetric, seed };
}

const graphOf = ({ self, shifts, weights }: Improvement) => ({ name: "designed-static", self, shifts, weights });

export function Designer({ answer, n }: { answer: SpectrumAnswer; n: number }) {
  const asked = useSignal<ImproveQuestion | undefined>(undefined);
  const question = questionFor(answer, n, view.value.seed);
  const found = useAnswer("design", asked.value);
  // A search for another question is of no use any more; one for this one goes on while indices are dragged.
  const key = JSON.stringify(question);
  useEffect(() => {
    if (asked.peek() !== undefined && JSON.stringify(asked.peek()) !== key) asked.value = undefined;
  }, [asked, key]);
  const isSearching = asked.value !== undefined && found.asking;
  // What was found before it was cancelled stays.
  const kept = useSignal<{ readonly key: string; readonly best: Improvement } | undefined>(undefined);
  const latest = asked.value === undefined ? undefined : isSearching ? found.news?.best : found.answer;
  useEffect(() => {
    if (latest !== undefined) kept.value = { key, best: latest };
  }, [kept, key, latest]);
  const best = latest ?? (kept.value?.key === key ? kept.value.best : undefined);
  return (
    <section class="panel" aria-label="Designer">
      <h2>Designer</h2>
      {typeof question === "string" ? (
        <p class="note">{question}</p>
      ) : (
        <>
          <p class="note">
            Searches shifts and weights of {question.directed ? "a directed" : "an undirected"} circulant of the same
            degree ({showCount(question.degree)}), in a worker.
          </p>
          <p class="row">
            {isSearching ? (
              <button type="button" onClick={() => (asked.value = undefined)}>
                Cancel
              </button>
            ) : (
              <button type="button" class="main" onClick={() => (asked.value = { ...question })}>
                Search
              </button>
            )}
            {isSearching ? <progress aria-label="Searched" value={found.news?.share ?? 0} max={1} /> : null}
          </p>
          {asked.value !== undefined && found.trouble !== undefined ? <p class="trouble">{found.trouble}</p> : null}
          {best === undefined ? null : (
            <>
              <Facts
                id="designed"
                aria-live="polite"
                facts={[
                  ["this graph", showRate(answer.rate.rate)],
                  ["found", showRate(best.rate), { "data-fact": "designed" }],
                  ["no circulant below", showRate(best.bound)],
                  ["rounds to 1e-6", `${showCount(answer.rounds)} → ${showCount(best.rounds)}`],
                ]}
              />
              <button type="button" disabled={isSearching} onClick={() => change({ graph: graphOf(best) })}>
                Show what was found
              </button>
            </>
          )}
        </>
      )}
    </section>
  );
}
