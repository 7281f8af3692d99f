import { createTopology, gossip } from "equitopo";
import { expect, test } from "vitest";
import { promised } from "../src/curves/promise.ts";
import { rates } from "../src/curves/rates.ts";
import { curves } from "../src/curves/work.ts";
import { frameOf } from "../src/rounds/frame-of.ts";
import { frame, scene } from "../src/rounds/work.ts";
import { settingOf } from "../src/setting.ts";
import { Track, Tracks } from "../src/simulate.ts";
import { isTrouble } from "../src/trouble.ts";
import { readView } from "../src/view.ts";

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
      expect(frameOf(wandering, given.d, 5)).toEqual({ ...frameOf(straight, given.d, 5), errors: expect.anything() });
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
  const [one, other] = ["od-equidyn", "torus"].map((name) => frameOf(new Track({ name }, given), 1, undefined));
  expect(one.values).toEqual(other.values);
  expect(one.mean).toBe(other.mean);
});

test("tracks are kept, the one that was not used for the longest is forgotten", () => {
  const tracks = new Tracks(2);
  const [a, b] = [setting("n=5"), setting("n=6")];
  const first = tracks.of({ name: "ring" }, a);
  tracks.of({ name: "ring" }, b);
  expect(tracks.of({ name: "ring" }, a)).toBe(first);
  tracks.of({ name: "star" }, a);
  expect(tracks.of({ name: "ring" }, a)).toBe(first);
});

test("what cannot be had is said in its place, and the others are there", () => {
  const question = { topologies: [{ name: "hypercube" }, { name: "ring" }], setting: setting("n=30") };
  const [hypercube, ring] = finish(frame({ ...question, t: 2, node: 29 }));
  expect(isTrouble(hypercube) && hypercube.trouble).toMatch(/power of 2, got 30; try n = 32/);
  expect(ring).toMatchObject({ t: 2, n: 30, inspected: { node: 29, bytes: 32 } });
  expect(finish(scene({ ...question, layout: "own" })).map(isTrouble)).toEqual([true, false]);
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
