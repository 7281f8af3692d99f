/** Sampled gains and stability hold as often as they say, over graphs whose exact figures are known; no family is refused. */

import { describe, expect, test } from "vitest";
import { gains } from "../../src/rate/gains.ts";
import { type Form, stability } from "../../src/rate/stability.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";

describe("sampling, where the exact figure is known", () => {
  const forms: [Form, number][] = [
    ["lazy", 0],
    ["plain", 0],
    ["dsgt", 0.3],
    ["diging", 0.3],
  ];
  const names = ["one-peer-exp", "base", "doubling", "ring", "de-bruijn", "ou-equidyn", "random-matching"];
  const graphs = names.flatMap((name) =>
    [4, 5, 7, 8, 12, 17].flatMap((n) => {
      const options = name === "ou-equidyn" || name === "random-matching" ? {} : { relabel: true };
      return createTopology({ name, n, ...options } as Parameters<typeof createTopology>[0]);
    }),
  );
  const unknown = ({ moments: _m, draws: _d, turned: _t, labelled: _l, ...rest }: Topology): Topology => rest;

  test("an interval of stability holds in 19 cases of 20", () => {
    const misses = graphs.flatMap((graph) =>
      forms.filter(([form, step]) => {
        const [exact, found] = [stability(graph, form, step), stability(unknown(graph), form, step)];
        expect([exact.method, found.method]).toEqual(["exact", "sampled"]);
        return !(Math.abs(found.radius - exact.radius) <= found.error! + 1e-12);
      }),
    );
    expect(misses.length / (forms.length * graphs.length)).toBeLessThanOrEqual(0.05);
  }, 600_000);

  test("those of gains, too, and none of the three is off to one side", () => {
    for (const key of ["rms", "worst", "noise"] as const) {
      const all = graphs.map((graph) => [gains(graph)[key], gains(unknown(graph))] as const);
      const misses = all.filter(([exact, found]) => !(Math.abs(found[key] - exact) <= found.error![key] + 1e-12));
      expect(misses.length / graphs.length, key).toBeLessThanOrEqual(0.05);
    }
  });
});

describe("every registered family", () => {
  const options: Record<string, object[]> = { "de-bruijn": [2, 3, 4, 5].map((p) => ({ p })) };

  test.each(topologies.names)(
    "%s has a radius at every n to 140 that it takes",
    (name) => {
      let found = 0;
      for (let n = 2; n <= 140; n++) {
        if (topologies.get(name).refuses?.(n) !== undefined) continue;
        for (const own of options[name] ?? [{}]) {
          let topology: Topology;
          try {
            topology = createTopology({ name, n, ...own } as Parameters<typeof createTopology>[0]);
          } catch {
            continue;
          }
          // What is sampled has no eigenvalues to find: a few sizes are enough.
          if (topology.kind === "random" && n % 35 > 0) continue;
          const { radius } = stability(topology);
          expect(radius, `n = ${n}`).toBeGreaterThanOrEqual(0);
          found++;
        }
      }
      // The least of LPS has 1092 nodes.
      expect(found > 0).toBe(name !== "lps");
    },
    600_000,
  );
});
