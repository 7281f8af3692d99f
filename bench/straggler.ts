/**
 * How far one peer's delay spreads: in round 10 a peer computes 100 ms longer than the others (1 ms). Peers that hear from
 * it, directly or through others, come late in their turn. On the memory network's own clock, so the figures are exact
 * and the same everywhere: for every round after it, how many of 64 peers begin late, and by how much on average.
 */

import { createTopology, type Rows, type Running, type TopologySpec } from "equitopo";
import { MemoryNetwork, runPeer } from "equitopo/peer";
import type { Options, Report } from "./bench.ts";

const n = 64;
const rounds = 31;
const [slow, when, delay] = [7, 10, 100];
const topologies = [
  { name: "od-equidyn", n, seed: 1 },
  { name: "ou-equidyn", n, seed: 1 },
  { name: "d-equistatic", n, m: 9, seed: 1 },
  { name: "u-equistatic", n, m: 9, seed: 1 },
  { name: "one-peer-exp", n },
  { name: "ring", n },
];

/** The time at which each peer finished each round, on the network's clock. */
async function finishes(spec: TopologySpec, late: boolean, timeout: number): Promise<number[][]> {
  const topology = createTopology(spec);
  const network = new MemoryNetwork(n, { delay: [1, 1] });
  return Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const times: number[] = [];
      const state = { x: Float64Array.of(rank) as Rows };
      const running: Running = {
        state,
        *iterate() {
          [state.x] = yield { vectors: [state.x] };
        },
      };
      await runPeer({
        ...{ transport: network.join(rank), topology, running, rounds, timeout },
        onRound: async ({ round }) => {
          times.push(network.time);
          await network.sleep(late && rank === slow && round === when - 1 ? delay : 1);
        },
      });
      return times;
    }),
  );
}

export default async function straggler(_: Options, report: Report): Promise<void> {
  console.log(`One of ${n} peers is ${delay} ms late in round ${when}. Peers late after k rounds (and by how much):`);
  const steps = [0, 1, 2, 3, 4, 6, 8, 12, 20];
  console.log(["topology".padEnd(14), "timeout", ...steps.map((k) => `k=${k}`.padStart(10))].join(" "));
  for (const spec of topologies) {
    for (const timeout of [1000, 40]) {
      const usual = await finishes(spec, false, timeout);
      const late = await finishes(spec, true, timeout);
      const cells = steps.map((k) => {
        const delays = late.map((times, i) => times[when + k] - usual[i][when + k]).filter((by) => by > 0.5);
        const name = `peers late ${k} rounds after one, ${spec.name}, timeout ${timeout}`;
        report.figure({ name, value: delays.length, unit: `of ${n}` });
        const mean = delays.reduce((sum, by) => sum + by, 0) / Math.max(1, delays.length);
        return `${delays.length} (${mean.toFixed(0)} ms)`.padStart(10);
      });
      console.log([spec.name.padEnd(14), String(timeout).padStart(7), ...cells].join(" "));
    }
  }
}
