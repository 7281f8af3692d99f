/** What a worker says to a person at a terminal, and to nobody else. */

import { expandSpec } from "equitopo";
import { expect, it } from "vitest";
import { workerWords } from "../../src/peers/worker-words.ts";

const runs = expandSpec({
  topologies: [{ name: "ring", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  ...{ rounds: 40, every: 20, seeds: [5, 6] },
});

function spoken(isTTY: boolean): { readonly text: string; readonly lines: readonly string[] } {
  let text = "";
  let time = 0;
  const stream = { isTTY, columns: 120, write: (more: string) => (text += more) };
  const nameOf = (peer: number) => `peer ${peer} at 10.0.0.${peer}:7000`;
  const words = workerWords({ rank: 1, runs, nameOf, stream, now: () => time });
  words.listens();
  words.waitsFor(2);
  words.begins({ from: "anew", round: 0, absent: [] });
  time = 5000;
  words.event({
    ...{ kind: "round", rank: 1, run: 1, round: 19 },
    ...{ partners: [], bytes: 0, lag: 0 },
  });
  words.ends("results/1");
  return { text, lines: text.split("\n") };
}

it("says where it listens, for whom it waits, who is here, how far it is and where the results are", () => {
  const { text, lines } = spoken(true);
  expect(lines[0]).toBe("peer 1 at 10.0.0.1:7000 listens; waiting for the other 2");
  expect(text).toContain("peer 1 waits for peer 2 at 10.0.0.2:7000");
  expect(text).toContain("peer 1: all 3 peers are here; 2 runs begin\n");
  expect(text).toContain("peer 1: run 2 of 2, update 20 of 40 ██");
  expect(text).toContain("75%");
  expect(lines.at(-2)).toContain("peer 1: model and metrics are in results/1");
});

it("is silent where stderr is no terminal", () => {
  expect(spoken(false).text).toBe("");
});
