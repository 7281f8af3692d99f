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

export function Page({ view: signal, onPicked, onLeave }: PageActions & { readonly view: ReadonlySignal<Shown> }) {
  const view = signal.value;
  const { phase, rank, size, runs, standing } = view;
  const run = runs[standing?.run ?? 0];
  const server = serverInWords(view);
  // Every round would be too much to listen to.
  const spoken = phase === "training" ? "Training." : stateInWords(view);
  return (
    <main data-phase={phase} data-rank={rank} data-updates={standing?.updates ?? 0}>
      <header>
        <h1>{rank < 0 ? "Take a seat" : `Seat ${rank} of ${size}`}</h1>
        {run !== undefined && <p class="quiet">{run.label}</p>}
      </header>
      <p id="state">{stateInWords(view)}</p>
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
      {view.trouble !== undefined && (
        <section role="alert" class="panel trouble">
          <p>{view.trouble.what}</p>
          <p>{view.trouble.remedy}</p>
        </section>
      )}
      {phase === "files" && <FilesForm needed={view.needed} onPicked={onPicked} />}
      {view.result !== undefined && <Ending result={view.result} accuracy={view.accuracy} />}
      {size > 0 && (
        <div class="columns">
          <section class="panel">
            <h2>Who is here</h2>
            <Ring view={view} />
            <ul class="legend quiet">
              <li class="self">this seat</li>
              <li class="browser">a browser</li>
              <li class="node">a program</li>
              <li class="free">free</li>
            </ul>
          </section>
          <section class="panel">
            <h2>This seat</h2>
            <Numbers view={view} />
            <Curve view={view} />
          </section>
        </div>
      )}
      {leavable.includes(phase) && (
        <button type="button" id="leave" onClick={onLeave}>
          Leave
        </button>
      )}
      <footer class="quiet">
        The model is averaged with other seats, two at a time, by the topology of the run; no server takes part in a
        round.
      </footer>
    </main>
  );
}
