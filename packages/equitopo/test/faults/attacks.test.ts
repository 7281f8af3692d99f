/** The laws that every registered attack obeys, who is drawn to lie, and what a lie does to those who hear it. */

import { describe, expect, test } from "vitest";
import { attacks, createAttack, honestRows, liarsAmong } from "../../src/internal/faults.ts";
import { attackLaws } from "../../src/testing/attack.ts";

describe.each(attacks.map((member) => [member.name, member] as const))("%s", (_name, member) => {
  test.each(attackLaws(member).map((law) => [law.name, law.run] as const))("%s", (_law, run) => run());
});

const scene = { node: 1, exchange: 4, seed: 9, honest: [Float64Array.of(1, 5), Float64Array.of(3, 5)] };
const said = (spec: Parameters<typeof createAttack>[0], own = Float64Array.of(1, -2), changed: object = {}) => {
  const out = new Float64Array(2);
  createAttack(spec).lie(own, { ...scene, ...changed }, out);
  return [...out];
};

test("what they say", () => {
  expect(said("sign-flip")).toEqual([-1, 2]);
  expect(said("large")).toEqual([1e30, -1e30]);
  expect(said({ name: "large", value: -7 })).toEqual([-7, 7]);
  // Mean 2 and deviation 1; mean 5 and none.
  expect(said({ name: "little-is-enough", z: 2 })).toEqual([0, 5]);
  expect(said("label-flip")).toEqual([1, -2]);
  const noise = said({ name: "noise", sigma: 1e-3 });
  expect(Math.hypot(noise[0] - 1, noise[1] + 2)).toBeLessThan(1e-2);
  expect(said({ name: "noise", sigma: 1e-3 }, undefined, { exchange: 5 })).not.toEqual(noise);
  expect(said({ name: "noise", sigma: 1e-3 }, undefined, { node: 2 })).not.toEqual(noise);
});

describe("who lies", () => {
  test("a share is that many whole nodes, drawn from the seed", () => {
    const drawn = (seed: number) => liarsAmong({ liars: 0.3, attack: "large" }, 17, seed)?.nodes ?? [];
    expect(drawn(1)).toHaveLength(5);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect([...drawn(1)].sort((a, b) => a - b)).toEqual(drawn(1));
    expect(liarsAmong({ liars: 0.01, attack: "large" }, 17, 1)).toBeUndefined();
  });

  test("their rows are left out of what honest nodes have", () => {
    const liars = liarsAmong({ liars: [1], attack: "large" }, 3, 0);
    expect([...honestRows(Float64Array.of(1, 2, 3, 4, 5, 6), liars)]).toEqual([1, 2, 5, 6]);
  });

  test("what makes no sense is refused", () => {
    const refused = (faults: object) => () => liarsAmong(faults, 4, 0);
    expect(refused({ liars: [1] })).toThrow(/liars and an attack belong together.*attack: sign-flip/);
    expect(refused({ attack: "large" })).toThrow(/say who lies/);
    expect(refused({ liars: [4], attack: "large" })).toThrow(/liars\[0\] must be an integer from 0 to 3/);
    expect(refused({ liars: [0, 1, 2, 3], attack: "large" })).toThrow(/somebody must be honest/);
    expect(refused({ liars: 0.99, attack: "large" })).toThrow(/somebody must be honest/);
    expect(refused({ liars: [0], attack: "lage" })).toThrow(/did you mean large/);
    expect(refused({ liars: [0], attack: { name: "sign-flip", size: 2 } })).toThrow(/takes the options scale/);
    expect(refused({ liars: "all", attack: "large" })).toThrow(/must be a list of nodes, or a share/);
  });
});
