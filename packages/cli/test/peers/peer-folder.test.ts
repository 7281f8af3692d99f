/** What one peer leaves in its folder. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordEvent } from "@equitopo/node/internal";
import { expandSpec, type RunSpec } from "equitopo";
import { parseNpy } from "equitopo/input";
import { describe, expect, it } from "vitest";
import { peerFolder, requireNoResults } from "../../src/peers/peer-folder.ts";
import { equitopo, scratch } from "../command.ts";

const folder = scratch();
const runs = expandSpec({
  topologies: [{ name: "ring", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", d: 2, K: 10, sigmaN: 0, sigmaS: 0 },
  ...{ rounds: 40, every: 20, seeds: [5] },
});
const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };
const record = (run: number, updates: number, ...x: number[]): RecordEvent => ({
  ...{ kind: "record" as const, rank: 1, run, updates, x: Float64Array.from(x) },
  ...{ bytes: 16 * updates, messages: updates, seconds: 0, faults },
});
const open = (name: string, some: readonly RunSpec[] = runs) =>
  peerFolder({ path: join(folder, name), rank: 1, runs: some, context: {} });

describe("the folder of a peer", () => {
  it("has its model, what was recorded of it, and the result", () => {
    const one = open("%r");
    one.take(record(0, 0, 0, 0));
    one.take(record(0, 20, 3, 4));
    one.write({ done: 20 });
    expect(readdirSync(join(folder, "1")).sort()).toEqual(["metrics.csv", "model.npy", "result.json"]);
    expect([...parseNpy({ name: "model.npy", bytes: readFileSync(join(folder, "1", "model.npy")) }).values]).toEqual([
      3, 4,
    ]);
    const [heading, first] = readFileSync(join(folder, "1", "metrics.csv"), "utf8").split("\r\n");
    expect(heading).toBe("updates,bytes,messages,seconds,relativeError");
    // The model 0 is as far from the solution as the solution is long.
    expect(Number(first.split(",")[4])).toBeCloseTo(1, 12);
    const result = JSON.parse(readFileSync(join(folder, "1", "result.json"), "utf8"));
    expect(result).toMatchObject({ version: 1, rank: 1, done: 20, runs: [{ updates: 20, faults }] });
    expect(() => requireNoResults(join(folder, "%r"), 1)).toThrow(/must not have any/);
  });

  it("keeps several runs apart; one of an interrupted peer may be taken again, and none is made of nothing", () => {
    const two = open("two", [...runs, ...runs]);
    two.take(record(0, 40, 1, 1));
    two.take(record(1, 20, 2, 2));
    two.write({ interrupted: true });
    expect(readdirSync(join(folder, "two"))).toContain("run-1-model.npy");
    expect(() => requireNoResults(join(folder, "two"), 1)).not.toThrow();
    open("none").write({ interrupted: true });
    expect(existsSync(join(folder, "none", "result.json"))).toBe(false);
  });

  it("is each peer's own", async () => {
    const spec = join(folder, "spec.json");
    const ring = { topologies: [{ name: "ring", n: 3 }], algorithms: [{ name: "dsgd", learningRate: 0.01 }] };
    writeFileSync(spec, JSON.stringify({ ...ring, problem: { name: "least-squares", K: 10 }, rounds: 4 }));
    writeFileSync(join(folder, "hosts.txt"), "127.0.0.1:9\n127.0.0.1:10\n127.0.0.1:11\n");
    const words = `worker ${spec} --hosts ${join(folder, "hosts.txt")} --ranks 0,1 --out results`;
    const { status, stderr } = await equitopo(words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/each peer needs a folder of its own.*results\/%r/)]);
  });
});
