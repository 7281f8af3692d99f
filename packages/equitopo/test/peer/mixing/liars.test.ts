/** A peer that sends wrong numbers to real peers: what they do with them, and what they say of it. */

import { describe, expect, it } from "vitest";
import { runPeer } from "../../../src/peer/course/peer.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import type { RoundReport } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { createDefence } from "../../../src/robust/registry.ts";
import type { Rows } from "../../../src/round/round.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { createTopology } from "../../../src/topology/registry.ts";

const n = 6;

/** Gossip of one number by n peers; peer 2 says something else in its third iteration, or always. */
async function gossip(
  topology: { name: string; n: number; seed?: number },
  kind: "clip" | "guard" | undefined,
  said: (exchange: number, own: number) => number,
): Promise<{ values: number[]; peers: Transport[] }> {
  const network = new MemoryNetwork(n);
  const peers = Array.from({ length: n }, (_, rank) => network.join(rank));
  const states = peers.map(({ rank }) => ({ x: Float64Array.of(rank / 10) as Rows }));
  await Promise.all(
    peers.map((transport, rank) => {
      const state = states[rank];
      const running = {
        state,
        *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
          [state.x] = yield { vectors: [state.x] };
        },
      };
      return runPeer({
        ...{ transport, topology: createTopology(topology), running, rounds: 30, timeout: 5000 },
        ...(kind === undefined ? {} : { defence: createDefence({ kind, radius: 1 }) }),
        ...(rank === 2 ? { lie: (own: Rows, t: number) => Float64Array.of(said(t, own[0])) } : {}),
      });
    }),
  );
  return { values: states.map(({ x }) => x[0]), peers };
}

const honest = (values: readonly number[]) => values.filter((_, rank) => rank !== 2);
const once = (t: number, own: number) => (t === 3 ? 1e30 : own);

describe("1e30 in one round", () => {
  it.each(["ou-equidyn", "ring"])("destroys everybody over %s, and nobody behind a guard", async (name) => {
    const open = await gossip({ name, n }, undefined, once);
    expect(Math.max(...honest(open.values))).toBeGreaterThan(1e20);
    const { values, peers } = await gossip({ name, n }, "guard", once);
    expect(Math.max(...values)).toBeLessThan(0.5);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    // Void at the honest ends; the liar itself saw honest rows, and mixed them: the mean moves by what it took.
    const left = peers.map(({ counts }) => counts.refused.get("defence") ?? 0);
    expect(left[2]).toBe(0);
    expect(left.reduce((sum, count) => sum + count, 0)).toBe(name === "ring" ? 2 : 1);
    const voided = peers.reduce((sum, { counts }) => sum + counts.voided, 0);
    expect(voided).toBe(name === "ring" ? 2 : 1);
  });

  it("moves a clipped peer by w radius at most", async () => {
    const { values } = await gossip({ name: "ring", n }, "clip", once);
    expect(Math.max(...honest(values))).toBeLessThan(1);
    const whole = await gossip({ name: "ring", n }, "clip", (_t, own) => own);
    const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0);
    // Two honest ends, one third of a radius of 1 each, and of what true rows, at most 0.5 apart, would have moved.
    expect(sum(values) - sum(whole.values)).toBeLessThan((2 / 3) * 1.5);
    expect(sum(whole.values)).toBeCloseTo(1.5, 12);
  });
});

it("honest peers further apart than the radius void an exchange at both ends: the mean stays", async () => {
  const network = new MemoryNetwork(2);
  const peers = [network.join(0), network.join(1)];
  const states = [0, 1.5].map((value) => ({ x: Float64Array.of(value) as Rows }));
  const defence = createDefence({ kind: "guard", radius: 1 });
  const topology = createTopology({ name: "complete", n: 2 });
  await Promise.all(
    peers.map((transport, rank) =>
      runPeer({
        ...{ transport, topology, rounds: 3, defence, timeout: 5000 },
        running: {
          state: states[rank],
          *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
            [states[rank].x] = yield { vectors: [states[rank].x] };
          },
        },
      }),
    ),
  );
  expect(states.map(({ x }) => x[0])).toEqual([0, 1.5]);
  expect(peers.map(({ counts }) => counts.voided)).toEqual([3, 3]);
});

it.each(["ring", "od-equidyn"] as const)("what a guard refuses did not take place: over %s", async (name) => {
  const runs = expandSpec({
    topologies: [{ name, n: 4 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: { name: "least-squares", K: 3, d: 2, sigmaH: 10 },
    rounds: 20,
    robust: { kind: "guard", radius: 1e-9 },
  });
  const network = new MemoryNetwork(4);
  const said: number[] = [];
  const summaries = await Promise.all(
    [0, 1, 2, 3].map((rank) => {
      const onRound = (_run: number, { missing, partners }: RoundReport) => {
        said.push(partners.length - missing.length);
      };
      return runSpecPeer({ transport: network.join(rank), runs, onRound });
    }),
  );
  // All begin with the same model, and no two are that close ever after.
  for (const { exchanges } of summaries) expect(exchanges.void).toBe(exchanges.planned);
  expect(Math.max(...said)).toBe(0);
});

it("an attack that has to see honest rows is not for real peers", async () => {
  const runs = expandSpec({
    topologies: [{ name: "ring", n: 3 }],
    algorithms: [{ name: "dsgd" }],
    problem: { name: "least-squares" },
    rounds: 2,
    faults: { liars: [0], attack: "little-is-enough" },
  });
  const transport = new MemoryNetwork(3).join(1);
  await expect(runSpecPeer({ transport, runs })).rejects.toThrow(/a real peer cannot do colluding-liars/);
});
