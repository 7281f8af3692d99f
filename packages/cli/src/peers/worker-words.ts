/**
 * What a worker says to a person at a terminal: where it listens, for whom it waits and who is here, how far it is, and where
 * its results are. Silent where stderr is no terminal, and with --quiet.
 */

import type { PeerEvent } from "@equitopo/node/internal";
import type { RunSpec } from "equitopo";
import type { PeerStart } from "equitopo/peer";
import { type LineOptions, progressBar, progressOf } from "../terminal/progress.ts";

export interface WorkerWordsOptions extends LineOptions {
  readonly rank: number;
  readonly runs: readonly RunSpec[];
  readonly nameOf: (peer: number) => string;
  readonly now?: () => number;
}

export function workerWords({ rank, runs, nameOf, ...line }: WorkerWordsOptions) {
  const { quiet = false, stream = process.stderr } = line;
  const silent = quiet || stream.isTTY !== true;
  const n = runs[0].topology.n;
  const waiting = progressOf(line);
  const bar = progressBar({ ...line, label: `peer ${rank}`, total: runs.reduce((sum, run) => sum + run.rounds, 0) });
  const before = runs.map((_, run) => runs.slice(0, run).reduce((sum, one) => sum + one.rounds, 0));
  const say = (text: string) => {
    if (silent) return;
    waiting.done();
    bar.end();
    stream.write(`${text}\n`);
  };
  return {
    listens(): void {
      say(`${nameOf(rank)} listens; waiting for the other ${n - 1}`);
    },

    waitsFor(peer: number): void {
      waiting.announce(`peer ${rank} waits for ${nameOf(peer)}`);
    },

    begins({ from, round, absent }: Pick<PeerStart, "from" | "round" | "absent">): void {
      const who =
        from === "network"
          ? "the others are under way"
          : absent.length === 0
            ? `all ${n} peers are here`
            : `${n - absent.length} of ${n} peers are here, without ${absent.slice(0, 8).join(", ")}${absent.length > 8 ? ", ..." : ""}`;
      const many = runs.length === 1 ? `${runs[0].rounds} updates` : `${runs.length} runs`;
      say(`peer ${rank}: ${who}; ${many} ${round === 0 ? "begin" : `go on from iteration ${round}`}`);
    },

    event(event: PeerEvent): void {
      if (event.kind !== "round" && event.kind !== "record") return;
      const updates = event.kind === "round" ? event.round + 1 : event.updates;
      const which = runs.length === 1 ? "" : `run ${event.run + 1} of ${runs.length}, `;
      bar.update(before[event.run] + updates, `peer ${rank}: ${which}update ${updates} of ${runs[event.run].rounds}`);
    },

    ends(out: string | undefined): void {
      say(
        out === undefined
          ? `peer ${rank}: nothing was written; --out DIR keeps its model and metrics`
          : `peer ${rank}: model and metrics are in ${out}`,
      );
    },

    /** Takes back what is still on the line. */
    done(): void {
      waiting.done();
      bar.end();
    },
  };
}
