/** The asynchronous driver: n peers that know only themselves and pass promises around, against the simulator. */

import { expect, test } from "vitest";
import type { Mix } from "../../src/algorithm/algorithm.ts";
import { d2MixesDirectly } from "../../src/algorithm/d2.ts";
import { driveAsync } from "../../src/algorithm/drive.ts";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { createWorld } from "../../src/algorithm/world.ts";
import type { Rows } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { createTopology } from "../../src/topology/registry.ts";

const n = 6;
const d = 3;
const problem = quadratic({ n, d, sigma: 0.2 });

/** What was put under a key, as soon as it is there. */
function post() {
  const waiting = new Map<string, { promise: Promise<readonly Rows[]>; put: (rows: readonly Rows[]) => void }>();
  return (key: string) => {
    let slot = waiting.get(key);
    if (slot === undefined) {
      let put: (rows: readonly Rows[]) => void = () => {};
      const promise = new Promise<readonly Rows[]>((resolve) => {
        put = resolve;
      });
      slot = { promise, put };
      waiting.set(key, slot);
    }
    return slot;
  };
}

test.each([
  ["dsgt", "od-equidyn"],
  ["atc-gt", "ou-equidyn"],
  ["choco", "u-equistatic"],
  ["gossip-pga", "one-peer-exp"],
  ["local-steps", "ring"],
  ["dsgd-ceca", "ceca-1p"],
  ["dsgd-ceca", "ceca-2p"],
])("%s over %s", async (name, over) => {
  const topology = createTopology({ name: over, n });
  const optimiser = createAlgorithm({ name, learningRate: 0.02 });
  const mail = post();
  const rounds = 14;

  const peer = async (i: number): Promise<Rows> => {
    const { learningRate } = optimiser;
    const rows = (width: number) => new Float64Array(width);
    const running = optimiser.start(
      createWorld({ topology, problem, learningRate, seed: 9, rows, first: i, count: 1 }),
    );
    for (let t = 0; t < rounds; t++) {
      let exchanges = 0;
      await driveAsync(
        running,
        t,
        async ({ vectors, by }: Mix) => {
          const key = `${t}/${exchanges++}`;
          mail(`${key}/${i}`).put(vectors.map((row) => row.slice()));
          if (by === "mean") {
            const all = await Promise.all(Array.from({ length: n }, (_, j) => mail(`${key}/${j}`).promise));
            return vectors.map((row, v) => row.map((_, k) => all.reduce((sum, rows) => sum + rows[v][k], 0) / n));
          }
          const { self, from } = topology.peers(t, i);
          const received = await Promise.all(from.map(({ node }) => mail(`${key}/${node}`).promise));
          return vectors.map((row, v) =>
            row.map((own, k) => received.reduce((sum, rows, e) => sum + from[e].weight * rows[v][k], self * own)),
          );
        },
        optimiser.exchanges,
      );
    }
    return running.state.x;
  };

  const x = await Promise.all(Array.from({ length: n }, (_, i) => peer(i)));
  const expected = simulate({ topology, algorithm: optimiser, problem, rounds, seed: 9 }).x;
  expect(x.flatMap((row) => [...row])).toEqual([...expected]);
});

test("D2 mixes with W itself only where lambda_min > -1/3", () => {
  const basis = [173, 48, 118, 193, 252, 196, 10, 212, 278];
  // lambda_min = -0.634 for the authors' basis at n = 300.
  expect(d2MixesDirectly(createTopology({ name: "u-equistatic", n: 300, basis }))).toBe(false);
  // The ring's is 1/3 + 2/3 cos(2 pi floor(n/2) / n): -1/3 itself at even n.
  expect(d2MixesDirectly(createTopology({ name: "ring", n: 9 }))).toBe(true);
  expect(d2MixesDirectly(createTopology({ name: "ring", n: 8 }))).toBe(false);
  expect(d2MixesDirectly(createTopology({ name: "ring", n: 8, lazy: true }))).toBe(true);
  expect(d2MixesDirectly(createTopology({ name: "star", n: 9 }))).toBe(true);
});
