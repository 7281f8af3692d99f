/**
 * The bits of runs and gossip, as they were before iterations and rounds became two clocks and codecs went onto the wire
 * (fixtures/state-hashes.json, made by the release before): algorithms with one exchange per iteration keep W(t), and
 * their states keep every bit. Only local-steps has other bits since its k-th exchange is W(k), except with one step.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { algorithms } from "../../src/algorithm/registry.ts";
import { stateHash } from "../../src/number/hash.ts";
import { gossip } from "../../src/run/gossip.ts";
import { runSpec } from "../../src/run/run.ts";
import { expandSpec, parseSpec } from "../../src/run/spec.ts";
import { createTopology } from "../../src/topology/registry.ts";

const path = new URL("../fixtures/state-hashes.json", import.meta.url);
const hashes = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
const named = (kind: (name: string) => boolean) => Object.entries(hashes).filter(([name]) => kind(name));

describe("runs", () => {
  test.each(named((name) => !name.startsWith("gossip ")))("%s", (name, hash) => {
    const [word, second, type = "float32"] = name.split(" ");
    const [algorithm, steps] = word.split("/");
    const compressed = second === "random-k" || second === "quantise";
    const { condition } = algorithms.get(algorithm);
    const topology = ["static symmetric", "stable"].includes(condition.name)
      ? { name: "u-equistatic", m: 3 }
      : { name: "ou-equidyn" };
    const own = {
      ...(compressed ? { compressor: second } : {}),
      ...(steps === undefined ? {} : { steps: Number(steps) }),
    };
    const [run] = expandSpec(
      parseSpec({
        topologies: [{ ...topology, n: 17, seed: 2 }],
        algorithms: [{ name: algorithm, learningRate: 0.005, ...own }],
        problem: { name: compressed ? "least-squares" : second },
        rounds: 25,
        seeds: [3],
        type: type as "float32" | "float64",
      }),
    );
    expect(runSpec(run).stateHash).toBe(hash);
  });
});

describe("gossip", () => {
  test.each(named((name) => name.startsWith("gossip ")))("%s", (name, hash) => {
    const [, family, lossy] = name.split(" ");
    const faults = lossy === undefined ? {} : { drop: 0.1 };
    const { x } = gossip(createTopology({ name: family, n: 16 }), { d: 5, rounds: 12, seed: 4, ...faults });
    expect(stateHash(x)).toBe(hash);
  });
});
