/** Rounds over a network that fails, sampled; and gossip that stops when it is there. */

import { expect, test } from "vitest";
import { sampleGossip } from "../../src/advise/sampled.ts";
import { gossip, odEquiDyn, onePeerExp, ouEquiDyn, ring } from "../../src/index.ts";

test("without faults an exact schedule takes its period, and the mean stays", () => {
  const { rounds, shift } = sampleGossip(onePeerExp({ n: 32 }), { tolerance: 1e-6 });
  expect(rounds).toBe(5);
  expect(shift).toBeLessThan(1e-12);
});

test("losses move the mean of directed rounds and not that of exchanges", () => {
  const faults = { drop: 0.1 };
  expect(sampleGossip(odEquiDyn({ n: 40 }), { tolerance: 1e-6, faults }).shift).toBeGreaterThan(1e-3);
  expect(sampleGossip(ouEquiDyn({ n: 40 }), { tolerance: 1e-6, faults }).shift).toBeLessThan(1e-12);
});

test("absent nodes cost more rounds than their share of messages", () => {
  const graph = ouEquiDyn({ n: 60, construction: "euclid" });
  const rounds = (absent: number) => sampleGossip(graph, { tolerance: 1e-6, faults: { absent } }).rounds;
  expect(rounds(0.2) / rounds(0)).toBeGreaterThan(1.4);
});

test("what takes too long is said never to get there", () => {
  expect(sampleGossip(ring({ n: 4000 }), { tolerance: 1e-6, runs: 1 }).rounds).toBe(Number.POSITIVE_INFINITY);
});

test("gossip stops in the first recorded round that is good enough", () => {
  const graph = odEquiDyn({ n: 20 });
  const whole = gossip(graph, { d: 2, rounds: 100 });
  const short = gossip(graph, { d: 2, rounds: 100, until: 1e-3 });
  const first = whole.errors.findIndex((error) => error <= 1e-3 * whole.errors[0]);
  expect(short.errors).toEqual(whole.errors.slice(0, first + 1));
  expect(short.bytesPerNode).toBe(16 * first);
  expect(gossip(graph, { d: 2, rounds: 100, until: 1e-3, every: 7 }).recorded.at(-1)).toBe(Math.ceil(first / 7) * 7);
  expect(() => gossip(graph, { d: 2, rounds: 1, until: 2 })).toThrow("until must lie in [0, 1]");
});
