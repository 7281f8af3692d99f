/** What `graph` foresees of a file, against the file; and what it refuses before it begins. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createTopology, type TopologySpec } from "equitopo";
import { describe, expect, it, vi } from "vitest";
import { graphBytes, tellGraph } from "../../../src/command/graph/work.ts";
import type { Drawing } from "../../../src/format/drawing.ts";
import { formatOf } from "../../../src/format/formats.ts";
import { equitopo, scratch } from "../../command.ts";

const folder = scratch();

describe("the size of a file is foreseen within a tenth", () => {
  it.each<[string, TopologySpec, string[]]>([
    ["ring", { name: "ring", n: 2000 }, ["json", "csv", "dot", "graphml"]],
    ["complete", { name: "complete", n: 150 }, ["json", "csv", "dot", "graphml", "npy"]],
    ["erdos-renyi", { name: "erdos-renyi", n: 1500 }, ["json", "csv", "graphml"]],
    ["static-exp", { name: "static-exp", n: 1200 }, ["json", "dot"]],
    ["ou-equidyn", { name: "ou-equidyn", n: 3000 }, ["csv", "graphml"]],
    ["hierarchy", { name: "hierarchy", n: 800 }, ["csv", "json"]],
  ])("%s", async (_name, spec, formats) => {
    const topology = createTopology(spec);
    const round = topology.round(0);
    const drawing = { rounds: [{ round, number: 0, name: "" }], isRange: false, symmetric: topology.symmetric };
    for (const format of formats) {
      const out = join(folder, `${spec.name}.${format}`);
      expect((await equitopo(`graph ${spec.name} --n ${spec.n} --out ${out}`)).status).toBe(0);
      const ratio = graphBytes(drawing as unknown as Drawing, round, formatOf({ format }))! / statSync(out).size;
      expect([format, ratio > 0.9, ratio < 1.1]).toEqual([format, true, true]);
    }
  });

  it("of many rounds too", async () => {
    const topology = createTopology({ name: "ou-equidyn", n: 500 });
    const rounds = Array.from({ length: 20 }, (_, number) => ({ round: topology.round(number), number, name: "" }));
    for (const format of ["csv", "json"]) {
      const { stdout } = await equitopo(`graph ou-equidyn --n 500 --rounds 0:20 --format ${format}`);
      const drawing = { rounds, isRange: true, symmetric: true } as unknown as Drawing;
      const ratio = graphBytes(drawing, rounds[0].round, formatOf({ format }))! / stdout.length;
      expect([format, ratio > 0.9, ratio < 1.1]).toEqual([format, true, true]);
    }
  });
});

describe("what becomes large is told before it is begun", () => {
  function told(spec: TopologySpec, format: string, count = 1): string {
    const topology = createTopology(spec);
    const rounds = Array.from({ length: count }, (_, number) => ({ round: topology.round(number), number, name: "" }));
    const { symmetric } = topology;
    const drawing = { rounds, isRange: count > 1, symmetric } as unknown as Drawing;
    const chosen = formatOf({ format });
    let text = "";
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
      text += chunk;
      return true;
    });
    try {
      tellGraph(drawing, chosen, {});
    } finally {
      spy.mockRestore();
    }
    return text;
  }

  it("of 10^10 edges, of a dense matrix and of many rounds", () => {
    expect(told({ name: "complete", n: 1e5 }, "csv")).toMatch(/^this writes about \d+ GB; Ctrl-C stops it\n$/);
    expect(told({ name: "ring", n: 30_000 }, "npy")).toMatch(/^this writes about 7\.20 GB; /);
    expect(told({ name: "od-equidyn", n: 1e6 }, "json", 500)).toMatch(/^this writes about \d+\.\d GB; /);
  });

  it("and of nothing else", () => {
    expect(told({ name: "complete", n: 300 }, "csv")).toBe("");
    expect(told({ name: "ring", n: 30 }, "svg")).toBe("");
  });
});

describe("what has no room is refused before it is begun", () => {
  it.each([
    [
      "complete --n 1e7",
      "x.csv",
      /^error: the file must fit into the .*B that are free on its disk, got "about .*B"; try a/,
    ],
    [
      "complete --n 1e9",
      "x.json",
      /^error: the links of one node must fit into the .*B that Node grants to lists, got "999,999,999 links/,
    ],
    [
      "erdos-renyi --n 1e6",
      "x.npy",
      /^error: n of a dense npy matrix must be at most 32768, got 1000000; use --format csv/,
    ],
    [
      "erdos-renyi --n 1e6",
      "x.svg",
      /^error: the nodes of a picture must be at most 50000, got 1000000; choose a smaller n/,
    ],
    ["hierarchy --n 2e9", "x.csv", /^error: .*hierarchy of n = 2,000,000,000 must fit into .*; try --n \d+/],
    ["el-local --n 1e9", "x.csv", /^error: .*el-local of n = 1,000,000,000 must fit into .*; try --n \d+/],
    ["random-matching --n 2e9", "x.csv", /^error: .* must fit into .*; try --n \d+/],
  ])("graph %s --out %s", async (words, name, rule) => {
    const out = join(folder, name);
    const { status, stdout, stderr } = await equitopo(`graph ${words} --out ${out}`);
    expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(rule)]);
    expect(() => readFileSync(out)).toThrow();
  });
});
