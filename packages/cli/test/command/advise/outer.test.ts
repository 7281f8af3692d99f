/** `advise --outer`: rules of local steps, topologies and rounds by the time of an outer step. */

import { expect, test } from "vitest";
import { equitopo, json } from "../../command.ts";

const network = "--n 16 --steps 50 --model-bytes 43MB --bandwidth 100Mbit --latency 20ms";
const few = "--topologies ring,one-peer-exp,od-equidyn,complete";

test("a list, by modelled time; every row keeps the disagreement, all-reduce DiLoCo is among them", async () => {
  const rows = await json(`advise --outer ${network} ${few}`);
  expect(Array.isArray(rows)).toBe(true);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(
      expect.arrayContaining(["algorithm", "topology", "rounds", "disagreement", "bytes", "seconds"]),
    );
    expect(row.disagreement).toBeLessThanOrEqual(0.1);
  }
  const seconds = rows.map((row: { seconds: number }) => row.seconds);
  expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
  const diloco = rows.find((row: { algorithm: string }) => row.algorithm === "diloco");
  // A ring's all-reduce: 2 (n - 1) messages of a sixteenth.
  expect(diloco).toMatchObject({ topology: "all-reduce", disagreement: 0, bytes: (30 / 16) * 43e6 });
  expect(diloco.seconds).toBeCloseTo(30 * (0.02 + 43e6 / 16 / 12.5e6), 9);
  const gossip = rows.find((row: { algorithm: string; topology: string }) => {
    return row.algorithm === "gossip-diloco" && row.topology === "one-peer-exp";
  });
  // One vector to one peer in each round.
  expect(gossip.bytes).toBeCloseTo(gossip.rounds * 43e6, 0);
  expect(gossip.seconds).toBeCloseTo(gossip.rounds * (0.02 + 43e6 / 12.5e6), 9);
});

test("a larger disagreement takes fewer rounds; long latency makes the all-reduce dear", async () => {
  const rounds = async (flags: string) => {
    const rows = await json(`advise --outer ${network} --topologies od-equidyn ${flags}`);
    return rows.find((row: { algorithm: string }) => row.algorithm === "gossip-diloco").rounds;
  };
  expect(await rounds("--disagreement 0.5")).toBeLessThan(await rounds("--disagreement 0.01"));
  const slow = await json(`advise --outer --n 16 --steps 50 --latency 2s --model-bytes 1kB ${few}`);
  expect(slow[0].algorithm).not.toBe("diloco");
});

test("in words, with the all-reduce in the table", async () => {
  const { stdout, status } = await equitopo(`advise --outer ${network} --topologies ring`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/diloco +all-reduce/);
});

test.each([
  ["advise --outer --n 16", /--steps 50/],
  ["advise --n 16 --steps 50", /add --outer/],
  ["advise --outer --n 16 --steps 50 --kappa 3", /kappa does not go with --outer/],
  ["advise --outer --n 16 --steps 50 --check", /check does not go with --outer/],
  ["advise --outer --n 16 --steps 0", /steps must be/],
  ["advise --outer --n 16 --steps 50 --disagreement 0", /disagreement must be a positive number/],
])("%s is refused", async (words, reason) => {
  const { status, stderr } = await equitopo(words);
  expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
});
