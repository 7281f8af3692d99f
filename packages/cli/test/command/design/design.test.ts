/** Designs from the command line: what is printed, certified and refused. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTopology } from "equitopo";
import { describe, expect, it } from "vitest";
import { parseCertificate, refutations } from "../../../src/certificate/certificate.ts";
import { equitopo, json, scratch } from "../../command.ts";
import { sealed } from "../verify/seal.ts";

// Threads load the built package.
const { searchOnThreads }: typeof import("../../../src/command/design/search.ts") = await import(
  new URL("../../../dist/command/design/search.js", import.meta.url).href
);

const folder = scratch();

describe("design", () => {
  it("prints the best circulant with its certificate as JSON", async () => {
    const design = await json("design --n 16 --degree 4");
    expect(Object.keys(design)).toEqual([
      ...["n", "directed", "self", "shifts", "weights", "rate", "bound", "certificate"],
    ]);
    expect(design.rate).toBeCloseTo(0.423931, 6);
    expect(design.certificate.proved).toBe(true);
    const { n, self, shifts, weights, rate } = design;
    expect(createTopology({ name: "designed-static", n, self, shifts, weights }).rate().rate).toBe(rate);
  });

  it("says what it is held against, and the spec to run", async () => {
    const { status, stdout } = await equitopo("design --n 17 --degree 4 --undirected");
    expect(status).toBe(0);
    expect(stdout).toContain("design for n = 17, 4 peers, undirected");
    expect(stdout).toMatch(/rate +0\.\d{6} .*frequency \d+/);
    expect(stdout).toMatch(/bound +0\.\d+ +all sets of shifts were weighed/);
    expect(stdout).toContain("random draw, median of 21");
    expect(stdout).toMatch(/ring, 2 peers/);
    expect(stdout).toContain('spec      {"name":"designed-static","n":17,');
  });

  it("finds the same on any number of threads", async () => {
    const asked = { n: 40, degree: 6, directed: true };
    const options = { seed: 5, chunk: 20_000, evaluations: 70_000, signal: new AbortController().signal };
    const alone = await searchOnThreads(asked, { ...options, threads: 1 });
    const together = await searchOnThreads(asked, { ...options, threads: 3 });
    expect(together).toEqual(alone);
    expect(alone.evaluations).toBeGreaterThanOrEqual(70_000);
  });

  it("hands in what it has when it is stopped", async () => {
    const stop = new AbortController();
    const done = searchOnThreads(
      { n: 200, degree: 6, directed: true },
      { seed: 0, chunk: 1e12, evaluations: 1e12, threads: 1, signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 300);
    const { rate, shifts } = await done;
    // However far a busy machine has come by then.
    expect(shifts).toHaveLength(7);
    expect(rate).toBeLessThanOrEqual(1);
  });

  it("refuses what does not go together", async () => {
    const cases = {
      "design --degree 4": "--n, the number of nodes, must be given",
      "design --n 30": "--degree, the number of peers, must be given",
      "design --n 30 --degree 4 --directed --undirected": "edges go one way or both",
      "design --n 30 --degree 4 --seconds 1 --evaluations 5": "by --evaluations or by --seconds",
      "design --n 30 --degree 4 --period 3": "--period goes with --one-peer",
      "design --n 30 --degree 4 --one-peer": "--one-peer has degree 1",
      "design --n 31 --degree 3 --undirected": "must be even",
      "design --n 30 --degree 30": "degree must be an integer from 1 to 29",
    };
    for (const [words, message] of Object.entries(cases)) {
      const { status, stderr } = await equitopo(words);
      expect([words, status]).toEqual([words, 2]);
      expect(stderr).toContain(message);
    }
  });
});

describe("a design's certificate", () => {
  const path = join(folder, "design.json");

  it("is accepted as written, and every number of it is derived anew", async () => {
    await equitopo(`design --n 20 --degree 3 --certificate ${path}`);
    expect((await equitopo(`verify ${path}`)).status).toBe(0);
    const written = JSON.parse(readFileSync(path, "utf8"));
    const { design } = written;
    const [first, ...others] = design.multipliers;
    const edits: Record<string, object> = {
      degree: { degree: 2 },
      frequency: { frequency: 0 },
      bound: { bound: design.bound + 1e-6 },
      boundName: { boundName: "Alon-Boppana" },
      supportBound: { supportBound: design.supportBound + 1e-6 },
      multipliers: { multipliers: [{ ...first, re: first.re + 1e-3 }, ...others] },
      "a multiplier left out": { multipliers: others },
      "an unknown field": { colour: "red" },
    };
    for (const [name, edit] of Object.entries(edits)) {
      const text = JSON.stringify(sealed({ ...written, design: { ...design, ...edit } }));
      expect([name, refutations(parseCertificate(text)).length > 0]).toEqual([name, true]);
    }
    for (const key of Object.keys(design)) {
      const { [key]: _missing, ...rest } = design;
      const text = JSON.stringify(sealed({ ...written, design: rest }));
      expect([key, refutations(parseCertificate(text)).length > 0]).toEqual([key, true]);
    }
    expect(refutations(parseCertificate(JSON.stringify(written)))).toEqual([]);
  });

  it("claims a proof only where all supports were weighed and none is better", () => {
    const topology = createTopology({ name: "designed-static", n: 13, shifts: [1, 2, 5], weights: [0.25, 0.25, 0.25] });
    const { self, shifts, weights } = topology.spec;
    const text = readFileSync(path, "utf8");
    const forged = sealed({ ...JSON.parse(text), n: 13, self, shifts, weights, rate: topology.rate().rate });
    writeFileSync(join(folder, "forged.json"), JSON.stringify(forged));
    expect(refutations(parseCertificate(JSON.stringify(forged))).join()).toContain("design.proved");
  });

  it("of a sequence holds as well", async () => {
    const out = join(folder, "sequence.json");
    const { shifts } = createTopology({ name: "designed-one-peer", n: 16 }).spec;
    expect(shifts).toHaveLength(4);
    const { status } = await equitopo(`rate designed-one-peer --n 25 --certificate ${out}`);
    expect([status, (await equitopo(`verify ${out}`)).status]).toEqual([0, 0]);
  });
});
