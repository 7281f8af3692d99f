/** The page of a seat: what is going on, who is here, the numbers of this seat, and at the end what came of it. */

import type { ReadonlySignal } from "@preact/signals";
import { Curve } from "./curve.tsx";
import { Ending } from "./ending.tsx";
import type { Picked } from "./files.ts";
import { FilesForm } from "./files-form.tsx";
import { Invitation, type RoomFacts } from "./invitation.tsx";
import { Numbers } from "./numbers.tsx";
import type { Shown } from "./page-state.ts";
import { Ring } from "./ring.tsx";
import { serverInWords, stateInWords } from "./words.ts";

interface PageProps {
  readonly shown: ReadonlySignal<Shown>;
  readonly room: ReadonlySignal<RoomFacts | undefined>;
  readonly onJoin: () => void;
  readonly onPicked: (picked: readonly Picked[]) => void;
  readonly onLeave: () => void;
}

const leavable = ["joining", "files", "connecting", "training"];

export function Page({ shown: { value: shown }, room: { value: room }, onJoin, onPicked, onLeave }: PageProps) {
  const { phase, rank, size, runs, standing } = shown;
  const run = runs[standing?.run ?? 0];
  const server = serverInWords(shown);
  // Every round would be too much to listen to.
  const spoken = phase === "training" ? "Training." : stateInWords(shown);
  return (
    <main class="stage" data-phase={phase} data-rank={rank} data-updates={standing?.updates ?? 0}>
      <header>
        <h1>{rank < 0 ? (room?.title ?? "Take a seat") : `Seat ${rank} of ${size}`}</h1>
        {rank >= 0 && room !== undefined && <p>{room.title}</p>}
        {run !== undefined && <p class="quiet">{run.label}</p>}
      </header>
      <p id="state">{stateInWords(shown)}</p>
      <p class="visually-hidden" aria-live="polite">
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
      {phase === "invited" && <Invitation room={room} onJoin={onJoin} />}
      {phase === "files" && <FilesForm needed={shown.needed} onPicked={onPicked} />}
      {shown.result !== undefined && <Ending result={shown.result} accuracy={shown.accuracy} />}
      {size > 0 && (
        <div class="pair">
          <section class="panel">
            <h2>Who is here</h2>
            <Ring shown={shown} />
            <ul class="row legend quiet">
              {Object.entries({ self: "this seat", browser: "a browser", node: "a program", free: "free" }).map(
                ([kind, name]) => (
                  <li key={kind}>
                    <span class={`swatch seat ${kind}`} />
                    {name}
                  </li>
                ),
              )}
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
