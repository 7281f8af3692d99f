/** Who fits, by what families say of themselves. */

import { describe, expect, test } from "vitest";
import { candidates } from "../../src/advise/candidates.ts";
import { defineTopology, option, ring, type Topology } from "../../src/index.ts";

const family = (name: string, more: object, create: (options: { n: number }) => Topology = ring) =>
  defineTopology({ name, summary: "", source: "a test", options: {}, create, ...more });

describe("candidates", () => {
  test("take the variants that the family names, each relabelled where it can be, once each", () => {
    const seen: object[] = [];
    const one = family(
      "many",
      {
        options: { k: option.whole(1, 1), relabel: option.flag() },
        variants: (_n: number, degree: number) => [{ k: degree }, { k: 1 }],
      },
      (options) => {
        seen.push(options);
        return ring({ n: options.n });
      },
    );
    const { fits } = candidates({ n: 8, degree: 3, families: [one] });
    expect(fits.map(({ label }) => label)).toEqual(["many k=3", "many k=3 relabel", "many k=1", "many k=1 relabel"]);
    expect(seen[1]).toEqual({ n: 8, k: 3, relabel: true });
    expect(candidates({ n: 8, degree: 1, families: [one] }).excluded[0].reason).toBe("2 peers in a round, more than 1");
    expect(candidates({ n: 8, families: [one] }).fits[0].label).toBe("many k=3");
  });

  test("hand the seed to those who draw", () => {
    const drawn = family("drawn", { options: { seed: option.seed } }, (options) => ({
      ...ring({ n: options.n }),
      spec: { name: "drawn", ...options },
    }));
    expect(candidates({ n: 8, seed: 7, families: [drawn] }).fits[0].topology.spec["seed"]).toBe(7);
  });

  test("say why not", () => {
    const refusing = family("odd", { refuses: () => "needs an odd n" });
    const { fits, excluded } = candidates({ n: 8, undirected: true, families: [refusing] });
    expect([fits.length, excluded]).toEqual([0, [{ label: "odd", reason: "needs an odd n" }]]);
    const all = candidates({ n: 12, undirected: true });
    expect(all.excluded).toContainEqual({ label: "od-equidyn", reason: "some edges go one way only" });
    for (const { topology } of all.fits) expect(topology.symmetric).toBe(true);
  });
});
