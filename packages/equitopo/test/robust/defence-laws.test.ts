/** The laws that every registered defence obeys; a new one is held to them by being registered. */

import { describe, expect, test } from "vitest";
import { createDefence, defences, hearRound } from "../../src/robust/index.ts";
import { plainMixer } from "../../src/round/mixer.ts";
import { defenceLaws } from "../../src/testing/defence.ts";
import { createTopology } from "../../src/topology/registry.ts";

/** What has no default. */
const given: Readonly<Record<string, object>> = { clip: { radius: 1 }, guard: { radius: 1 } };

describe.each(defences.map((member) => [member.name, member] as const))("%s", (name, member) => {
  const laws = defenceLaws(member, { ...given[name] });
  test.each(laws.map((law) => [law.name, law.run] as const))("%s", (_name, run) => run());
});

test("the laws find a defence that believes everything", () => {
  const believes = {
    ...defences.get("clip"),
    name: "believes",
    create: () => ({ reach: 1, row: createDefence({ kind: "clip", radius: 1e300 }).row }),
  };
  const broken = defenceLaws(believes, { radius: 1 }).filter(({ run }) => {
    try {
      void run();
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(({ name }) => name)).toEqual(["a liar moves a row no further than the defence declares"]);
});

describe("in numbers", () => {
  const row = (
    spec: { kind: string; radius?: number; trim?: number },
    x: number,
    heard: readonly number[],
    w: number,
  ) => {
    const y = new Float64Array(1);
    const rows = heard.map((value) => Float64Array.of(value));
    createDefence(spec).row(
      y,
      Float64Array.of(x),
      heard.map(() => w),
      rows,
    );
    return y[0];
  };

  test("clip: 1 + 1/4 (2 of 9) + 1/4 (all of -1)", () => {
    expect(row({ kind: "clip", radius: 2 }, 1, [10, 0], 0.25)).toBe(1 + 0.5 - 0.25);
  });

  test("guard: what is further than 2 is not there", () => {
    expect(row({ kind: "guard", radius: 2 }, 1, [10, 0], 0.25)).toBe(0.75);
    expect(row({ kind: "guard", radius: 2 }, 1, [3], 0.25)).toBe(1.5);
  });

  test("trim: the largest above and the smallest below are cut, the others mixed", () => {
    expect(row({ kind: "trim", trim: 1 }, 1, [1e30, 2, 0, -5], 0.125)).toBe(1 + 0.125 - 0.125);
    expect(row({ kind: "trim", trim: 1 }, 1, [2, 3, 5], 0.125)).toBe(1 + 0.125 * (1 + 2));
    expect(row({ kind: "trim", trim: 2 }, 1, [2, 3, 5], 0.125)).toBe(1.125);
  });
});

test("within the radius a defence mixes as W does", () => {
  for (const name of ["ring", "ou-equidyn", "od-equidyn", "complete", "star"]) {
    const topology = createTopology({ name, n: 8 });
    const x = Float64Array.from({ length: 24 }, (_, k) => Math.cos(k * k));
    const plain = plainMixer(8).mix(topology.round(1), x.slice());
    for (const kind of ["clip", "guard"]) {
      const y = hearRound(topology.round(1), x, x, x.slice(), createDefence({ kind, radius: 10 }));
      y.forEach((value, k) => {
        expect(value).toBeCloseTo(plain[k], 12);
      });
    }
  }
});
