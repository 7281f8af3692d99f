// What a peer of the bitwise tests runs, and the same for all nodes at once; plain JavaScript over the built library, so
// that worker threads and MPI ranks can load it as it is.
import { dsgd } from "../../dist/algorithm/dsgd.js";
import { dsgt } from "../../dist/algorithm/dsgt.js";
import * as passes from "../../dist/algorithm/rows.js";
import { createTopology } from "../../dist/index.js";
import { runPeer } from "../../dist/peer/index.js";
import { applyRound } from "../../dist/round/index.js";

export const topologies = [
  { name: "od-equidyn", n: 17, seed: 4 },
  { name: "ou-equidyn", n: 17, seed: 4 },
  { name: "d-equistatic", n: 17, m: 4, seed: 2 },
  { name: "u-equistatic", n: 17, m: 4, seed: 2 },
];
/** The same peers in groups of unequal size. */
export const grouped = ["od-equidyn", "ou-equidyn", "ring"].map((between) => {
  return { name: "hierarchy", n: 17, groups: [5, 5, 4, 3], between, seed: 4 };
});
export const algorithms = ["gossip", "dsgd", "dsgt", "two-vectors"];
export const dimension = 7;

/** f_i with a gradient that no two nodes share, and that is not linear. */
function gradient(x, t, out, first, count) {
  const d = x.length / count;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < d; k++) {
      const v = x[i * d + k];
      out[i * d + k] = v - 0.3 * (first + i) + (0.1 * v) / (1 + v * v) + 0.01 * ((t * 7 + k) % 5);
    }
  }
}

function initial(first, count, d, Rows) {
  return Rows.from({ length: count * d }, (_, k) => ((first * d + k) * 0.37) % 1.9);
}

/** The algorithm on rows first .. first + count - 1. */
function start(spec, topology, first, count) {
  const { d = dimension, type = "float64" } = spec;
  const Rows = type === "float64" ? Float64Array : Float32Array;
  const world = {
    count,
    n: topology.n,
    d,
    topology,
    x0: initial(first, count, d, Rows),
    rows: (width = d) => new Rows(count * width),
    passes,
    gradient: (x, t, out) => gradient(x, t, out, first, count),
    learningRate: () => 0.05,
    words: () => {},
    encode: () => {},
  };
  if (spec.algorithm === "dsgd") return dsgd.start(world, { order: spec.order ?? "adapt-then-combine" });
  if (spec.algorithm === "dsgt") return dsgt.start(world, {});
  const state = { x: world.x0 };
  if (spec.algorithm === "two-vectors") state.y = initial(first + 100, count, 2, Rows);
  return {
    state,
    *iterate() {
      if (state.y === undefined) [state.x] = yield { vectors: [state.x] };
      else {
        [state.x, state.y] = yield { vectors: [state.x, state.y] };
        [state.y] = yield { vectors: [state.y], by: "mean" };
        state.y[0] += state.x[0];
      }
    },
  };
}

/** All n rows after spec.rounds iterations, in one program. */
export function simulateAll(spec) {
  const topology = createTopology(spec.topology);
  const { n } = topology;
  const running = start(spec, topology, 0, n);
  for (let t = 0; t < spec.rounds; t++) {
    const iteration = running.iterate(t);
    for (let step = iteration.next(); !step.done; ) {
      const round = step.value.by === "mean" ? { kind: "mean", n, keep: 0 } : topology.round(t);
      step = iteration.next(step.value.vectors.map((x) => applyRound(round, x, x.slice())));
    }
  }
  return running.state.x;
}

/** This peer's row after spec.rounds iterations over a transport. */
export async function runRank(spec, transport, options = {}) {
  const topology = createTopology(spec.topology);
  const running = start(spec, topology, transport.rank, 1);
  const exchanges = { hops: 1, yields: spec.algorithm === "two-vectors" ? 2 : 1 };
  await runPeer({ transport, topology, running, rounds: spec.rounds, exchanges, timeout: 30_000, ...options });
  return running.state.x;
}
