/** The page of a seat: what is going on, who is here, the numbers of this seat, and at the end what came of it. */

import type { ReadonlySignal } from "@preact/signals";
import { Curve } from "./curve.tsx";
import { Ending } from "./ending.tsx";
import { FilesForm } from "./files-form.tsx";
import { Numbers } from "./numbers.tsx";
import type { Picked } from "./picked.ts";
import { Ring } from "./ring.tsx";
import type { Shown } from "./shown.ts";
import { serverInWords, stateInWords } from "./words.ts";

export interface PageActions {
  readonly onPicked: (picked: readonly Picked[]) => void;
  readonly onLeave: () => void;
}

const leavable = ["joining", "files", "connecting", "training"];

export function Page({ shown: signal, onPicked, onLeave }: PageActions & { readonly shown: ReadonlySignal<Shown> }) {
  const shown = signal.value;
  const { phase, rank, size, runs, standing } = shown;
  const run = runs[standing?.run ?? 0];
  const server = serverInWords(shown);
  // Every round would be too much to listen to.
  const spoken = phase === "training" ? "Training." : stateInWords(shown);
  return (
    <main data-phase={phase} data-rank={rank} data-updates={standing?.updates ?? 0}>
      <header>
        <h1>{rank < 0 ? "Take a seat" : `Seat ${rank} of ${size}`}</h1>
        {run !== undefined && <p class="quiet">{run.label}</p>}
      </header>
      <p id="state">{stateInWords(shown)}</p>
      <p class="unseen" aria-live="polite">
        {spoken}
      </p>
      {run !== undefined && phase !== "failed" && (
        <progress max={run.rounds} value={standing?.updates ?? 0} aria-label="Rounds done" />
      )}
      {server !== undefined && (
        <p role="status" class="notice">
          {server}
        </p>
      )}
      {shown.trouble !== undefined && (
        <section role="alert" class="panel trouble">
          <p>{shown.trouble.what}</p>
          <p>{shown.trouble.remedy}</p>
        </section>
      )}
      {phase === "files" && <FilesForm needed={shown.needed} onPicked={onPicked} />}
      {shown.result !== undefined && <Ending result={shown.result} accuracy={shown.accuracy} />}
      {size > 0 && (
        <div class="columns">
          <section class="panel">
            <h2>Who is here</h2>
            <Ring shown={shown} />
            <ul class="legend quiet">
              <li class="self">this seat</li>
              <li class="browser">a browser</li>
              <li class="node">a program</li>
              <li class="free">free</li>
            </ul>
          </section>
          <section class="panel">
            <h2>This seat</h2>
            <Numbers shown={shown} />
            <Curve shown={shown} />
          </section>
        </div>
      )}
      {leavable.includes(phase) && (
        <button type="button" id="leave" onClick={onLeave}>
          Leave
        </button>
      )}
      <footer class="quiet">
        Models are averaged with those of other seats, by the topology of the run. Your data stays in this tab.
      </footer>
    </main>
  );
}
