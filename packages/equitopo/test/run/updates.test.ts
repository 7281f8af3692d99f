import { describe, expect, it } from "vitest";
import { leastSquares } from "../../src/problem/least-squares.ts";
import { simulate } from "../../src/run/simulate.ts";
import { expandSpec, type SpecDocument } from "../../src/run/spec.ts";
import { ring } from "../../src/topology/ring.ts";

const parts = {
  topologies: [{ name: "ring", n: 5 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares" },
} as const;
const topology = { name: "ring", n: 5 };
const algorithm = { name: "dsgd", learningRate: 0.01 };
const runs = (...entries: readonly object[]) =>
  ({
    problem: { name: "least-squares" },
    runs: entries.map((entry) => ({ topology, algorithm, ...entry })),
  }) as SpecDocument;
const roundsOf = (document: SpecDocument) => expandSpec(document).map(({ rounds }) => rounds);

describe("updates, the length of a run", () => {
  it("is what a spec says, and a run keeps it as rounds", () => {
    expect(roundsOf({ ...parts, updates: 30 })).toEqual([30]);
    expect(roundsOf({ ...parts, updates: 30, rounds: 30 })).toEqual([30]);
    expect(expandSpec({ ...parts, updates: 30 })).toEqual(expandSpec({ ...parts, rounds: 30 }));
    expect(expandSpec({ ...parts, updates: 30 })[0]).not.toHaveProperty("updates");
  });

  it("may be a single run's", () => {
    expect(roundsOf({ ...runs({ updates: 3 }, { rounds: 4 }, {}), updates: 9 })).toEqual([3, 4, 9]);
  });

  it("is refused where two names give two numbers, with the path", () => {
    expect(() => roundsOf({ ...parts, updates: 30, rounds: 31 })).toThrow(
      /updates and rounds are two names of one number, got "updates: 30, rounds: 31"/,
    );
    expect(() => roundsOf(runs({ updates: 3, rounds: 4 }))).toThrow(/runs\[0\].*two names of one number/);
    expect(() => roundsOf(runs({ updates: -3 }))).toThrow(/runs\[0\]\.updates/);
    expect(() => roundsOf({ ...parts, updates: 1.5 })).toThrow(/^updates must/);
    expect(() => roundsOf({ ...parts, updates: 3, epochs: 4 })).toThrow(/updates: 3, epochs: 4/);
  });

  it("is what a program says", () => {
    const problem = leastSquares({ n: 5 });
    const run = (length: object) => simulate({ topology: ring({ n: 5 }), algorithm, problem, ...length });
    expect(run({ updates: 7 }).updates).toHaveLength(8);
    expect(run({ updates: 7 })).toEqual(run({ rounds: 7 }));
    expect(() => run({ updates: 7, rounds: 8 })).toThrow(/two names of one number/);
    expect(() => run({})).toThrow(/updates must/);
  });
});
