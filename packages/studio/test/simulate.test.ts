import { createTopology, gossip } from "equitopo";
import { expect, test } from "vitest";
import { remarks } from "../src/curves/remarks.ts";
import { readView } from "../src/view/view.ts";
import { curves } from "../src/work/curves.ts";
import { frame, frameOf } from "../src/work/frame.ts";
import { promised, rates } from "../src/work/rates.ts";
import { settingOf } from "../src/work/setting.ts";
import { keptTracks, Track } from "../src/work/track.ts";
import { isTrouble } from "../src/work/trouble.ts";

const setting = (fragment: string) => settingOf(readView(fragment));

function finish<A>(steps: Generator<unknown, A>): A {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const seek = (track: Track, t: number) => finish(track.seek(t));

test("a track's numbers are the library's", () => {
  const track = new Track(
    { name: "od-equidyn" },
    setting("n=30&start=normal&drop=0.2&kill=3@4-9,99@0&cut=1-2@5&seed=7"),
  );
  seek(track, 20);
  const topology = createTopology({ name: "od-equidyn", n: 30, seed: 7 });
  const { errors, x, meanDrift, bytesPerNode, seconds } = gossip(topology, {
    ...{ d: 1, rounds: 20, seed: 7, drop: 0.2, around: "now" },
    ...{ crash: [{ node: 3, from: 4, until: 9 }], cut: [{ pair: [1, 2], from: 5 }] },
    latency: { alpha: 1e-4, beta: 8e-9 },
  });
  expect(track.history.errors).toEqual(errors);
  expect(track.history.seconds).toEqual(seconds);
  expect(track.history.drifts[20]).toBe(meanDrift);
  expect(track.history.bytes[20]).toBe(bytesPerNode);
  expect(track.steps.x).toEqual(x);
});

test.each(["drop=0.3", "drop=0.3&push=1", "kill=2@10-50,5@40", "start=one&d=3"])(
  "any round in any order is what it is from the start: %s",
  (fragment) => {
    const given = setting(`n=24&${fragment}`);
    const wandering = new Track({ name: "ou-equidyn" }, given);
    for (const t of [100, 3, 64, 63, 65, 0, 33, 99]) {
      seek(wandering, t);
      const straight = new Track({ name: "ou-equidyn" }, given);
      seek(straight, t);
      const look = { d: given.d, layout: "own", node: 5 } as const;
      expect(frameOf(wandering, look)).toEqual({ ...frameOf(straight, look), errors: expect.anything() });
      expect(wandering.history.errors.slice(0, t + 1)).toEqual(straight.history.errors);
    }
  },
);

test("going back replays no more than the rounds since a keyframe", () => {
  const track = new Track({ name: "ring" }, setting("n=10"));
  seek(track, 100);
  let rounds = 0;
  for (const _ of track.seek(63)) rounds++;
  expect(rounds).toBe(31);
  rounds = 0;
  for (const _ of track.seek(98)) rounds++;
  expect(rounds).toBe(2);
});

test("topologies side by side start from the same numbers", () => {
  const given = setting("n=16&seed=3&start=normal");
  const [one, other] = ["od-equidyn", "torus"].map((name) =>
    frameOf(new Track({ name }, given), { d: 1, layout: "own", node: undefined }),
  );
  expect(one.values).toEqual(other.values);
  expect(one.mean).toBe(other.mean);
});

test("tracks are kept, the one that was not used for the longest is forgotten", () => {
  const tracks = keptTracks(2);
  const [a, b] = [setting("n=5"), setting("n=6")];
  const first = tracks({ name: "ring" }, a);
  tracks({ name: "ring" }, b);
  expect(tracks({ name: "ring" }, a)).toBe(first);
  tracks({ name: "star" }, a);
  expect(tracks({ name: "ring" }, a)).toBe(first);
});

test("what cannot be had is said in its place, and the others are there", () => {
  const question = { topologies: [{ name: "hypercube" }, { name: "ring" }], setting: setting("n=30") };
  const [hypercube, ring] = finish(frame({ ...question, layout: "own", t: 2, node: 29 }));
  expect(isTrouble(hypercube) && hypercube.trouble).toMatch(/power of 2, got 30; try n = 32/);
  expect(ring).toMatchObject({ t: 2, n: 30, inspected: { node: 29, bytes: 32 } });
  const [lines] = [finish(curves({ ...question, rounds: 5 }))];
  expect(lines.map(isTrouble)).toEqual([true, false]);
  expect(lines[1]).toMatchObject({ messages: 2, errors: { length: 6 } });
});

test("rates and what they promise", () => {
  const names = ["od-equidyn", "one-peer-exp", "ring", "hypercube"];
  const found = finish(rates({ topologies: names.map((name) => ({ name })), n: 24, seed: 0 }));
  const known = found.flatMap((rate) => (isTrouble(rate) ? [] : [rate]));
  expect(known).toHaveLength(3);
  const [dyn, exp, ring] = known;
  expect(dyn.rate).toBe(createTopology({ name: "od-equidyn", n: 24 }).rate().rate);
  expect(dyn.bound).toBeGreaterThanOrEqual(dyn.rate);
  expect([promised(dyn, 0), promised(dyn, 3)]).toEqual([1, dyn.rate ** 3]);
  // Whole periods promise more than rounds one by one.
  expect(promised(exp, 2 * exp.stretch)).toBeCloseTo(exp.leaves ** 2, 12);
  expect(ring.rounds).toBeGreaterThan(100);
});

test.each([
  ["od-equidyn", 16, 1],
  ["ou-equidyn", 16, 1],
  ["ring", 12, 1],
  ["static-exp", 16, 1],
  ["one-peer-exp", 16, 4],
])("the rate of %s where messages are dropped is the mean square of what runs leave", (name, n, stretch) => {
  const drop = 0.25;
  const [rate] = finish(rates({ topologies: [{ name }], n, seed: 0, drop }));
  if (isTrouble(rate)) throw new Error(rate.trouble);
  expect(rate).toMatchObject({ stretch, bound: null, meanSquare: true });
  // Every start is a Fourier mode: the worst of them is the rate, here the slowest or the fastest.
  const squares = [0, n / 2 - 1].map((k) => {
    const x0 = Float64Array.from({ length: 2 * n }, (_, i) => {
      const angle = (2 * Math.PI * (k + 1) * (i >> 1)) / n;
      return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    let sum = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const topology = createTopology({ name, n, ...(name.endsWith("equidyn") ? { seed } : {}) });
      const { errors } = gossip(topology, { x0, d: 2, rounds: stretch, seed, drop, around: "now" });
      sum += (errors[stretch] / errors[0]) ** 2 / RUNS;
    }
    return sum;
  });
  const worst = Math.sqrt(Math.max(...squares));
  expect(Math.abs(worst / rate.leaves - 1)).toBeLessThan(0.03);
});

/** Seeds of a mean. */
const RUNS = 600;

test("with losses more rounds are promised, and where nothing is known nothing is drawn", () => {
  const asked = { topologies: [{ name: "od-equidyn" }, { name: "torus" }], n: 64, seed: 4 };
  const [before] = finish(rates(asked));
  const [dyn, torus] = finish(rates({ ...asked, drop: 0.25 }));
  if (isTrouble(before) || isTrouble(dyn)) throw new Error("od-equidyn has a rate");
  expect([before.rounds, dyn.rounds]).toEqual([39, 58]);
  expect(torus).toEqual({ trouble: "no exact rate is known where its messages are dropped" });
  const [down] = finish(rates({ ...asked, kill: [{ node: 3, from: 0 }] }));
  expect(down).toEqual({ trouble: "nothing is promised where nodes are down or links are cut" });
});

test("curves: what is above its dashed line is said to be", () => {
  const view = readView("topology=ou-equidyn,torus&n=64&drop=0.1&seed=7");
  const { topology: topologies, n, seed, drop } = view;
  const shown = {
    ...{ topologies, rounds: 40, rates: finish(rates({ topologies, n, seed, drop })) },
    curves: finish(curves({ topologies, setting: settingOf(view), rounds: 40 })),
  };
  expect(remarks(shown)).toEqual([
    expect.stringMatching(/^OU-EquiDyn: measured above the dashed line in places/),
    "Torus: no dashed line, no exact rate is known where its messages are dropped.",
  ]);
});
