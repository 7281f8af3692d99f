/** The key `hierarchy` of a spec: what it is expanded into, what is refused, and what a run counts. */

import { describe, expect, test } from "vitest";
import { expandSpec, runSpec, type SpecDocument } from "../../src/index.ts";
import { withHosts } from "../../src/run/hierarchy.ts";

const document: SpecDocument = {
  topologies: [{ name: "od-equidyn", n: 17 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", d: 10 },
  hierarchy: { groups: [5, 5, 4, 3] },
  rounds: 20,
  every: 20,
};

describe("a spec with a hierarchy", () => {
  test("is expanded into topologies between explicit groups, drawn from the seed", () => {
    const [run] = expandSpec({ ...document, seeds: [7] });
    expect(run.label).toBe("od-equidyn between groups");
    expect(run.topology).toMatchObject({ name: "hierarchy", n: 17, groups: [5, 5, 4, 3] });
    expect(run.topology.between).toMatchObject({ name: "od-equidyn", seed: 7 });
  });

  test("a size becomes sizes, and runs are grouped as topologies are", () => {
    const { topologies: _, algorithms: __, ...rest } = document;
    const [topology, algorithm] = [
      { name: "ring", n: 17 },
      { name: "dsgd", learningRate: 0.01 },
    ] as const;
    const [run] = expandSpec({ ...rest, hierarchy: { groups: 4 }, runs: [{ label: "mine", topology, algorithm }] });
    expect([run.label, run.topology.groups]).toEqual(["mine", [4, 4, 3, 3, 3]]);
  });

  test("by host is expanded by whoever knows the hosts", () => {
    const asked: SpecDocument = { ...document, hierarchy: { groups: "by host" } };
    expect(() => expandSpec(asked)).toThrow(/by host needs the hosts.*--hosts FILE/);
    const hosts = Array.from({ length: 17 }, (_, rank) => (rank < 5 ? "a" : rank < 10 ? "b" : "c"));
    expect(expandSpec(withHosts(asked, hosts))[0].topology.groups).toEqual([5, 5, 7]);
    const dealt = Array.from({ length: 17 }, (_, rank) => `host-${rank % 2}`);
    expect(expandSpec(withHosts(asked, dealt))[0].topology.groups).toEqual([
      [0, 2, 4, 6, 8, 10, 12, 14, 16],
      [1, 3, 5, 7, 9, 11, 13, 15],
    ]);
    expect(withHosts(document, dealt)).toBe(document);
    expect(() => expandSpec(withHosts(asked, ["a", "b"]))).toThrow(/add up to n = 17/);
  });

  test.each([
    [{ groups: "by rack" }, /groups must be a size, sizes, or lists/],
    [{ groups: 4, leader: 0 }, /hierarchy.*takes/],
    [{}, /groups must be a size/],
    [7, /hierarchy must be an object with groups/],
  ])("refuses %j", (hierarchy, message) => {
    expect(() => expandSpec({ ...document, hierarchy } as SpecDocument)).toThrow(message);
  });

  test("refuses messages in code", () => {
    const algorithms = [{ name: "choco", learningRate: 0.01 }] as const;
    const topologies = [{ name: "ring", n: 17 }] as const;
    expect(() => expandSpec({ ...document, topologies, algorithms })).toThrow(
      /cannot do hierarchy with compression.*without groups/,
    );
  });

  test.each([{ robust: { kind: "clip", radius: 1 } }, { faults: { liars: [2], attack: "sign-flip" } }])(
    "refuses what looks at single rows: %j",
    (beside) => {
      expect(() => expandSpec({ ...document, ...beside } as SpecDocument)).toThrow(
        /cannot do hierarchy with (defences|liars)/,
      );
    },
  );

  test("counts the bytes between groups apart: one vector for each group and link", () => {
    const [run] = expandSpec(document);
    const { between, bytes } = runSpec(run);
    expect(between).toEqual([0, 20 * 80]);
    // A member sends its row, and as a leader the result to its group and a mean: in turn.
    expect(bytes).toEqual([0, 80 * 4 * (1 + 1 + 1 + 1 + (4 + 1))]);
    const { hierarchy: _, ...flat } = document;
    expect(runSpec(expandSpec(flat)[0]).between).toBeUndefined();
  });

  test("what the network takes: inside a group at its own speed", () => {
    const latency = { alpha: 1e-3, beta: 0, inside: { alpha: 1e-6, beta: 0 } };
    const [run] = expandSpec({ ...document, latency });
    // One message between leaders, and inside one to the leader and four back.
    expect(runSpec(run).seconds[1]).toBeCloseTo(20 * (1e-3 + 5e-6), 12);
  });
});
