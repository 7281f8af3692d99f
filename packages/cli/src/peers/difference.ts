/** "How the real run differed": the same runs in the simulator beside what the peers did. */

import type { RunResult } from "equitopo";
import type { Table } from "equitopo/outcome";
import type { RealResult } from "./collector.ts";

/** Whether real peers ended with the simulator's very numbers, in a line for the top of a report. */
export function sameBits(simulated: readonly RunResult[], real: readonly RealResult[], async: boolean): string {
  const same = real.filter((run, k) => run.stateHash === simulated[k].stateHash);
  const { peers, transport } = real[0].real;
  const who = `${peers} real peers over ${transport}`;
  if (same.length === real.length) {
    const runs = real.length === 1 ? "the run's" : `all ${real.length} runs'`;
    return `Bit-identical to the simulation: ${runs} final rows, by ${who}, have the simulator's SHA-256.`;
  }
  const why = async
    ? "asynchronous peers use what has come, so that only a replay of their history has the same bits"
    : whatWentWrong(real);
  const some = same.length === 0 ? "Not" : `${same.length} of ${real.length} runs are`;
  return `${some} bit-identical to the simulation, by ${who}: ${why}.`;
}

/** An exchange may be void though its vectors came: where the vote on it did not. */
function whatWentWrong(runs: readonly RealResult[]): string {
  const sum = (fault: "missed" | "voided") => runs.reduce((all, { real: { faults } }) => all + faults[fault], 0);
  const lost = new Set(runs.flatMap(({ real }) => real.lost)).size;
  const words = [
    [sum("missed"), "messages were missed"],
    [sum("voided"), "exchanges were void"],
    [lost, "peers did not reach the end"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return words.length === 0 ? "why is not known, as no message was missed" : words.join(", ");
}

const last = (list: readonly number[]) => list[list.length - 1];

/** `async` where nobody waited: then the simulator has its own clock, and only a replay has the peers' bits. */
export function differenceTable(simulated: readonly RunResult[], real: readonly RealResult[], async = false): Table {
  const rows = real.flatMap((run, k): (string | number | null)[][] => {
    const other = simulated[k];
    const { faults, lost, peers, transport } = run.real;
    const name = `${run.label}, seed ${run.seed}`;
    const count = peers * run.degree * last(run.updates);
    const both = (listOf: (result: RunResult) => readonly number[]) => [last(listOf(other)), last(listOf(run))];
    return [
      [name, "final rows (SHA-256)", other.stateHash.slice(0, 16), run.stateHash.slice(0, 16)],
      ...Object.keys(run.metrics).map((metric) => [name, metric, ...both(({ metrics }) => metrics[metric])]),
      [name, "bytes sent by the busiest peer", ...both(({ bytes }) => bytes)],
      ...(run.between === undefined || other.between === undefined
        ? []
        : [[name, "bytes between machines, of the busiest", ...both(({ between = [] }) => between)]]),
      [name, "messages of the busiest peer", ...both(({ messages }) => messages)],
      [name, "seconds (model; measured)", ...both(({ seconds }) => seconds)],
      [name, "peers", peers, `${peers} over ${transport}`],
      [name, "messages missed", 0, `${faults.missed} of about ${count}`],
      [name, "exchanges void", 0, faults.voided],
      [name, "messages late, unsent, refused", 0, `${faults.late}, ${faults.unsent}, ${faults.refused}`],
      [name, "connections made again", 0, faults.reconnects],
      [name, "peers that did not reach the end", 0, lost.length === 0 ? 0 : `${lost.length}: ${lost.join(" ")}`],
      [name, "waiting, all peers (seconds)", null, Number((faults.waited / 1000).toPrecision(3))],
      [name, "longest exchange (milliseconds)", null, Number(faults.longestWait.toPrecision(3))],
    ];
  });
  return {
    name: "real",
    title: "How the real run differed",
    columns: ["run", "quantity", "simulator", "real peers"],
    rows,
    caption:
      (async
        ? "Asynchronous peers use what has come: the simulator, on its modelled clock, ends elsewhere, and `equitopo verify " +
          "--history DIR --spec FILE` does these very runs again. Synchronous ones: "
        : "") +
      "Where no message was missed the final rows are the simulator's to the last bit. Seconds: the latency model's " +
      "communication time on the left, wall-clock time of the slowest peer, gradients included, on the right.",
  };
}
