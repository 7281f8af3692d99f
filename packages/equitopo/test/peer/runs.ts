/** Runs over real peers beside the same runs in the simulator: tests for any transport. */

import { describe, expect, it } from "vitest";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { stateHash } from "../../src/number/hash.ts";
import type { SpecPeerOptions } from "../../src/peer/course/options.ts";
import { runSpecPeer } from "../../src/peer/course/spec-peer.ts";
import type { Transport } from "../../src/peer/exchange/transport.ts";
import type { PeerRecord } from "../../src/run/course/row-course.ts";
import { runSpec } from "../../src/run/run.ts";
import { expandSpec, parseSpec, type RunSpec } from "../../src/run/spec.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { run as hopping, products, simulated } from "./products.ts";

export interface PeersRun {
  /** Of all final rows. */
  readonly hash: string;
  /** Of the busiest peer, at the end. */
  readonly bytes: number;
  /** Of the busiest group to others, where there are groups. */
  readonly between: number | undefined;
  readonly missed: number;
}

/** Each run by n peers; what they hold at the end. */
export async function byPeers(
  transports: readonly Transport[],
  runs: readonly RunSpec[],
  options: Partial<SpecPeerOptions> = {},
): Promise<PeersRun[]> {
  const rows = runs.map(() => [] as PeerRecord[]);
  await Promise.all(
    transports.map((transport, rank) =>
      runSpecPeer({
        ...{ transport, runs, timeout: 20_000, ...options },
        onRecord: (record) => {
          rows[record.run][rank] = { ...record, x: record.x.slice() };
        },
      }),
    ),
  );
  const missed = transports.reduce((sum, { counts }) => sum + counts.missed, 0);
  return rows.map((last, k) => {
    const Kind = last[0].x instanceof Float32Array ? Float32Array : Float64Array;
    return {
      hash: stateHash(Kind.from(last.flatMap(({ x }) => [...x]))),
      bytes: Math.max(...last.map(({ bytes }) => bytes)),
      between: betweenOf(runs[k], last),
      missed,
    };
  });
}

function betweenOf(run: RunSpec, records: readonly PeerRecord[]): number | undefined {
  const { groups } = createTopology(run.topology).hierarchy ?? {};
  if (groups === undefined) return undefined;
  const sums = new Float64Array(groups.count);
  records.forEach(({ between = Number.NaN }, rank) => {
    sums[groups.of[rank]] += between;
  });
  return Math.max(...sums);
}

export const problem = { name: "least-squares", K: 10 } as const;

/** CHOCO by all its compressors: what is counted is what is sent. */
export const compressed = expandSpec({
  topologies: [{ name: "u-equistatic", n: 7, m: 2, seed: 3 }],
  algorithms: [
    { name: "choco", learningRate: 0.01, compressor: "top-k" },
    { name: "choco", learningRate: 0.01, compressor: "random-k" },
    { name: "choco", learningRate: 0.01, compressor: "quantise" },
  ],
  problem,
  rounds: 30,
  every: 30,
  seeds: [4],
});

const outerRules = [
  { name: "local-adamw", steps: 4 },
  { name: "diloco", steps: 4 },
  { name: "gossip-diloco", steps: 4, rounds: 2 },
  { name: "gossip-diloco", steps: 4, mixMomentum: true },
  { name: "noloco", steps: 4 },
  { name: "noloco", steps: 4, pull: 0.3 },
  { name: "slowmo", steps: 4 },
  { name: "slowmo", steps: 4, by: "topology", form: "published" },
  { name: "gasloc", steps: 4 },
] as const;

/** Outer rules: as they are, late, in fragments, compressed, and with all of that where they send one vector. */
const outer = expandSpec({
  topologies: [{ name: "od-equidyn", n: 7, seed: 3 }],
  algorithms: outerRules.flatMap((rule) => {
    const one = { ...rule, learningRate: 0.01 };
    const whole = { late: true, fragments: 2 };
    const compress = { name: "quantise", bits: 4 } as const;
    const two = "mixMomentum" in rule || "pull" in rule;
    const coded = two
      ? []
      : [
          { ...one, compress },
          { ...one, ...whole, compress },
        ];
    return [one, { ...one, late: true }, { ...one, fragments: 4 }, { ...one, ...whole }, ...coded];
  }),
  problem,
  ...{ rounds: 14, every: 14, seeds: [4] },
});

/** Whole periods of CECA, late too. */
const outerOverCeca = expandSpec({
  topologies: [{ name: "ceca-2p", n: 7 }],
  algorithms: [
    { name: "gossip-diloco", steps: 4, rounds: 3, learningRate: 0.01 },
    { name: "gossip-diloco", steps: 4, rounds: 3, learningRate: 0.01, late: true },
  ],
  problem,
  ...{ rounds: 14, every: 14, seeds: [4] },
});

const losing = { problem, rounds: 30, every: 30, seeds: [4], faults: { drop: 0.3 } };

/** A third of the messages is lost on purpose: directed, matched, undirected, by everybody to everybody, over two vectors. */
export const lossy = [
  ...expandSpec({
    topologies: [
      { name: "od-equidyn", n: 7, seed: 3 },
      { name: "ou-equidyn", n: 7, seed: 3 },
      { name: "u-equistatic", n: 7, m: 2, seed: 3 },
      { name: "d-equistatic", n: 7, m: 3, seed: 3 },
      { name: "complete", n: 7 },
      { name: "hierarchy", n: 7, groups: [3, 2, 2], between: "od-equidyn", seed: 3 },
      {
        name: "hierarchy",
        n: 7,
        groups: [
          [0, 3, 6],
          [1, 4],
          [2, 5],
        ],
        between: "ring",
      },
    ],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    ...losing,
  }),
  ...expandSpec({
    topologies: [
      { name: "ceca-2p", n: 7 },
      { name: "ceca-2p", n: 7, relabel: true, seed: 3 },
    ],
    algorithms: [{ name: "dsgd-ceca", learningRate: 0.01 }],
    ...losing,
  }),
];

/** Peers in groups: two vectors in an exchange, two exchanges in an iteration, an exact mean of all now and then. */
export const inGroups = expandSpec({
  topologies: [
    { name: "hierarchy", n: 7, groups: [3, 2, 2], between: "od-equidyn", seed: 3 },
    {
      name: "hierarchy",
      n: 7,
      groups: [
        [0, 3, 6],
        [1, 4],
        [2, 5],
      ],
      between: "ou-equidyn",
      seed: 3,
    },
    { name: "hierarchy", n: 7, groups: 7 },
  ],
  algorithms: [
    { name: "dsgt", learningRate: 0.01 },
    { name: "atc-gt", learningRate: 0.01 },
    { name: "gossip-pga", learningRate: 0.01, period: 4 },
  ],
  problem,
  rounds: 20,
  every: 20,
  seeds: [4],
});

/** Every defence over every kind of round, with two liars of seven and with messages lost; float32 among them. */
export const defended = [
  { kind: "clip", radius: 0.3 },
  { kind: "guard", radius: 0.3 },
  { kind: "trim", trim: 1 },
].flatMap((robust) =>
  expandSpec(
    parseSpec({
      topologies: [
        { name: "od-equidyn", n: 7, seed: 3 },
        { name: "ou-equidyn", n: 7, seed: 3 },
        { name: "u-equistatic", n: 7, m: 2, seed: 3 },
        { name: "complete", n: 7 },
      ].filter(({ name }) => robust.kind !== "trim" || !name.includes("dyn")),
      algorithms: [{ name: "dmsgd", learningRate: 0.01 }],
      ...{ problem, rounds: 12, every: 12, seeds: [4], robust, type: robust.kind === "clip" ? "float32" : "float64" },
      faults: { drop: 0.1, liars: [2, 5], attack: robust.kind === "trim" ? "sign-flip" : "noise" },
    }),
  ),
);

export function equalTheSimulator(name: string, open: (n: number) => Promise<Transport[]>): void {
  const run = async (runs: readonly RunSpec[], options: Partial<SpecPeerOptions> = {}) => {
    const peers = await open(7);
    try {
      return await byPeers(peers, runs, options);
    } finally {
      await Promise.all(peers.map((peer) => peer.close()));
    }
  };

  describe(`${name}: runs of specs`, () => {
    it("compressed messages leave as they are counted, and give the simulator's bits", async () => {
      const found = await run(compressed);
      compressed.forEach((spec, k) => {
        const { stateHash: hash, bytes } = runSpec(spec);
        expect([found[k].hash, found[k].bytes], spec.label).toEqual([hash, bytes.at(-1)]);
      });
    });

    it("outer rules, late, in fragments and compressed: bits and bytes", async () => {
      const runs = [...outer, ...outerOverCeca];
      const found = await run(runs);
      runs.forEach((spec, k) => {
        const { stateHash: hash, bytes } = runSpec(spec);
        expect(found[k].hash, spec.label).toBe(hash);
        // Of an exact mean the simulator counts an all-reduce, where peers send everybody their rows.
        const { sends } = createAlgorithm(spec.algorithm);
        if (sends.reductions === undefined) expect(found[k].bytes, spec.label).toBe(bytes.at(-1));
      });
    });

    it("in groups, with what they send between them counted apart", async () => {
      const found = await run(inGroups);
      inGroups.forEach((spec, k) => {
        const { stateHash: hash, bytes, between } = runSpec(spec);
        expect(found[k].hash, spec.label).toBe(hash);
        // Of an exact mean the simulator counts an all-reduce, where peers send everybody their rows.
        if (spec.algorithm.name === "gossip-pga") return;
        expect([found[k].bytes, found[k].between], spec.label).toEqual([bytes.at(-1), between!.at(-1)]);
      });
    });

    it("evaluations between iterations leave everything as it is", async () => {
      const [{ hash, bytes }] = await run([hopping], { problemOf: () => products() });
      expect([hash, bytes]).toEqual([stateHash(simulated.x), simulated.bytes.at(-1)]);
    });

    it("messages lost on purpose are those that the simulator loses", async () => {
      const found = await run(lossy);
      expect(found[0].missed).toBeGreaterThan(100);
      lossy.forEach((spec, k) => {
        expect(found[k].hash, spec.label).toBe(runSpec(spec).stateHash);
        expect(runSpec({ ...spec, faults: {} }).stateHash).not.toBe(found[k].hash);
      });
    });

    it("liars are believed, clipped, trimmed and refused as in the simulator, to the last bit", async () => {
      const found = await run(defended);
      defended.forEach((spec, k) => {
        const label = `${spec.robust?.kind} over ${spec.label}`;
        expect(found[k].hash, label).toBe(runSpec(spec).stateHash);
        const { robust: _, ...open } = spec;
        expect(runSpec(open).stateHash, label).not.toBe(found[k].hash);
      });
    });
  });
}
