/** Whom a peer will ever meet, against whom peers at work do meet. */

import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/input/input.ts";
import { everyPartner } from "../../../src/peer/course/partners.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { expandSpec, type SpecDocument } from "../../../src/run/spec.ts";

const common = { problem: { name: "least-squares", K: 4, d: 2 }, rounds: 12, seeds: [3] } as const;
const dsgd = { name: "dsgd", learningRate: 0.01 } as const;

/** The transport, and everybody that is sent to or heard over it. */
function watched(transport: Transport, met: Set<number>): Transport {
  return new Proxy(transport, {
    get(target, name) {
      if (name !== "exchange") {
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return (request: Parameters<Transport["exchange"]>[0]) => {
        for (const { peer } of [...request.send, ...request.receive]) met.add(peer);
        return target.exchange(request);
      };
    },
  });
}

describe("everyPartner", () => {
  const cases: readonly [string, SpecDocument][] = [
    ["a static graph", { ...common, topologies: [{ name: "ring", n: 13 }], algorithms: [dsgd] }],
    ["a periodic one", { ...common, topologies: [{ name: "one-peer-exp", n: 13 }], algorithms: [dsgd] }],
    ["a random one", { ...common, topologies: [{ name: "od-equidyn", n: 13, m: 3 }], algorithms: [dsgd] }],
    [
      "several runs",
      {
        ...common,
        topologies: [
          { name: "od-equidyn", n: 13, basis: [5] },
          { name: "ring", n: 13 },
        ],
        algorithms: [dsgd],
      },
    ],
    [
      "exact means",
      {
        ...common,
        topologies: [{ name: "ring", n: 13 }],
        algorithms: [{ name: "momentum-tracking", initial: "mean", learningRate: 0.01 }],
      },
    ],
  ];

  it.each(cases)("%s: just those that a run meets, on both sides", async (_, document) => {
    const runs = expandSpec(document);
    const network = new MemoryNetwork(13);
    const met = Array.from({ length: 13 }, () => new Set<number>());
    const peers = met.map((set, rank) => runSpecPeer({ transport: watched(network.join(rank), set), runs }));
    await Promise.all(peers);
    met.forEach((set, rank) => {
      const known = everyPartner(runs, rank);
      expect(known).toEqual([...set].sort((a, b) => a - b));
      for (const other of known) expect(everyPartner(runs, other)).toContain(rank);
    });
  });

  it("counts the partners of evaluations", () => {
    const runs = expandSpec({ ...common, topologies: [{ name: "ring", n: 300 }], algorithms: [dsgd], evaluate: 5 });
    expect(everyPartner(runs, 0).length).toBeGreaterThan(40);
    expect(
      everyPartner(
        runs.map(({ evaluate: _, ...run }) => run),
        0,
      ),
    ).toHaveLength(18);
  });

  it("is for runs of one n", () => {
    const topologies = [
      { name: "ring", n: 5 },
      { name: "ring", n: 6 },
    ] as const;
    expect(() => everyPartner(expandSpec({ ...common, topologies, algorithms: [dsgd] }), 0)).toThrow(InputError);
  });
});
