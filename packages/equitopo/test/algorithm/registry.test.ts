/** Specs of algorithms: options, their ranges, and which topologies each one takes. */

import { describe, expect, test } from "vitest";
import type { Algorithm } from "../../src/algorithm/algorithm.ts";
import { fittingTopologies, requireFit } from "../../src/algorithm/fit.ts";
import { type AlgorithmSpec, algorithm, algorithms, createAlgorithm } from "../../src/algorithm/registry.ts";
import { InputError } from "../../src/input/input.ts";
import { simulate } from "../../src/run/simulate.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import type { TopologyFamily } from "../../src/topology/topology.ts";

describe("specs", () => {
  test.each(algorithms.map(({ name }) => name))("%s: its spec builds it again, defaults written out", (name) => {
    const made = createAlgorithm({ name });
    expect(made.spec).toEqual({
      name,
      learningRate: 0.01,
      ...Object.fromEntries(Object.entries(algorithm(name).options).map(([key, option]) => [key, option.default])),
    });
    expect(createAlgorithm(made.spec).spec).toEqual(made.spec);
    for (const [key, option] of Object.entries(algorithm(name).options)) {
      if (option.default !== undefined) expect(option.check(key, option.default)).toEqual(option.default);
    }
  });

  test("names are distinct", () => {
    expect(new Set(algorithms.map(({ name }) => name)).size).toBe(algorithms.length);
  });

  test.each<[AlgorithmSpec, RegExp]>([
    [{ name: "dgst" }, /algorithm must be one of dsgd, .*did you mean dsg[dt]\?/],
    [
      { name: "dmsgd", momentun: 0.5 },
      /dmsgd takes the options learningRate, momentum, got "momentun"; did you mean momentum\?/,
    ],
    [{ name: "dsgd", momentum: 0.5 }, /dsgd takes the options learningRate, order/],
    [{ name: "dmsgd", momentum: 1 }, /dmsgd's momentum must lie in \[0, 1\), got 1; try/],
    [{ name: "dmsgd", momentum: "0.5" }, /dmsgd's momentum must lie in/],
    [{ name: "dsgd", order: "adapt-than-combine" }, /did you mean adapt-then-combine\?/],
    [{ name: "choco", bits: 1 }, /choco's bits must be an integer from 2 to 16/],
    [{ name: "choco", keep: 0 }, /choco's keep must lie in \(0, 1\]/],
    [{ name: "choco", consensusStep: "automatic" }, /choco's consensusStep must lie in \(0, 1\]/],
    [{ name: "local-steps", steps: 0 }, /local-steps's steps must be an integer of at least 1/],
    [{ name: "dsgd", learningRate: -1 }, /learningRate must be a positive number, got -1/],
  ])("%j is refused", (spec, message) => {
    expect(() => createAlgorithm(spec)).toThrow(InputError);
    expect(() => createAlgorithm(spec)).toThrow(message);
  });
});

describe("fit", () => {
  const n = 11;
  const accepts = ({ name, condition }: Algorithm, family: TopologyFamily, options: object) =>
    condition.fits?.(family.create({ n, ...options }), createAlgorithm({ name }).spec) === true;
  const problem = quadratic({ n, d: 2 });

  test.each(algorithms.map((member) => [member.name, member] as const))(
    "%s runs over a topology, or refuses it before the first round and names those that fit",
    (name, member) => {
      const fitting = fittingTopologies(member, n);
      expect(fitting.length).toBeGreaterThan(0);
      let gradients = 0;
      const counted: typeof problem = {
        ...problem,
        gradient: (...given) => {
          gradients++;
          problem.gradient(...given);
        },
      };
      for (const family of topologies.filter((each) => each.refuses?.(n) === undefined)) {
        gradients = 0;
        const run = () =>
          simulate({ topology: family.create({ n }), algorithm: { name }, problem: counted, rounds: 1 });
        if (fitting.includes(family.name)) {
          expect(run().updates).toEqual([0, 1]);
        } else if (accepts(member, family, {})) {
          // A rule of local steps may be stable over one draw of a graph and not over another: then it is not suggested.
          expect(accepts(member, family, { seed: 1 }), family.name).toBe(false);
          expect(run().updates).toEqual([0, 1]);
        } else {
          expect(run, family.name).toThrow(InputError);
          expect(run).toThrow(`${name} needs a ${member.condition.name} W, and ${family.name} does not fit: its W`);
          expect(run).toThrow(`at n = ${n} these fit: ${fitting.join(", ")}`);
          expect(gradients).toBe(0);
        }
      }
    },
  );

  test.each(["exact-diffusion", "nids", "d2"])("%s: static and symmetric, or stable", (name) => {
    const fitting = fittingTopologies(algorithm(name), 17);
    for (const fit of ["u-equistatic", "ring", "od-equidyn", "ou-equidyn"]) expect(fitting).toContain(fit);
    expect(fitting).not.toContain("one-peer-exp");
    const refusal = () => requireFit(algorithm(name), createTopology({ name: "one-peer-exp", n: 17 }));
    expect(refusal).toThrow(/stability radius of the lazy form is 1\.0493, which must be below 1/);
  });

  test.each(["extra", "decentlam", "choco"])("%s: static and symmetric only", (name) => {
    const fitting = fittingTopologies(algorithm(name), n);
    expect(fitting).toContain("u-equistatic");
    expect(fitting).toContain("ring");
    for (const unfit of ["d-equistatic", "static-exp", "od-equidyn", "ou-equidyn", "one-peer-exp"]) {
      expect(fitting).not.toContain(unfit);
    }
  });

  test("the reason is the topology's own", () => {
    const refusal = (name: string) => () => requireFit(algorithm("extra"), createTopology({ name, n }));
    expect(refusal("d-equistatic")).toThrow(/its W is not symmetric \(some edges go one way\)/);
    expect(refusal("ou-equidyn")).toThrow(/its W changes from round to round/);
    expect(refusal("u-equistatic")).not.toThrow();
    const turning = { ...createTopology({ name: "ring", n }), kind: "periodic", period: 2 } as const;
    expect(() => requireFit(algorithm("extra"), turning)).toThrow(/its W changes from round to round/);
  });

  test("a directed graph whose default draw is symmetric by chance may be used, but is not advised", () => {
    const lucky = createTopology({ name: "d-equistatic", n: 12 });
    expect(lucky.symmetric).toBe(true);
    expect(() => requireFit(algorithm("extra"), lucky)).not.toThrow();
    expect(fittingTopologies(algorithm("extra"), 12)).not.toContain("d-equistatic");
  });

  test("a period of one round is static: one-peer-exp at n = 2", () => {
    expect(fittingTopologies(algorithm("extra"), 2)).toContain("one-peer-exp");
  });
});
