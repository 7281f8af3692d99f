/** Runs numbered from 0 on one network, votes that come late, and claims of progress. */

import { expect, test } from "vitest";
import { claimsIn } from "../../../src/peer/exchange/claims.ts";
import { lateVotes } from "../../../src/peer/exchange/late-votes.ts";
import { Shifted } from "../../../src/peer/exchange/offset.ts";
import { Encounters } from "../../../src/peer/mixing/encounters.ts";

type Given = ConstructorParameters<typeof Shifted>[0];

test("before its first round a run has reached none, whatever was reached before", () => {
  const transport = (reached: number) => new Shifted({ reached, counts: {} } as never as Given, 100);
  expect([transport(40).reached, transport(99).reached, transport(103).reached]).toEqual([-1, -1, 3]);
});

test("what goes to one peer in one exchange is one message", async () => {
  const shifted = new Shifted({ exchange: async () => ({}) } as never as Given, 7);
  const send = [1, 1, 2].map((peer) => ({ peer }));
  await shifted.exchange({ send, round: 0 } as never as Parameters<typeof shifted.exchange>[0]);
  expect(shifted.messages).toBe(2);
});

test("a late yes is told, a late no is not", () => {
  const told: string[] = [];
  const votes = lateVotes();
  votes.await(1, 5, () => told.push("yes"));
  votes.await(2, 5, () => told.push("no"));
  votes.hear(2, { kind: "no", round: 5 } as Parameters<typeof votes.hear>[1], true);
  votes.hear(1, { kind: "yes", round: 5 } as Parameters<typeof votes.hear>[1], true);
  expect(told).toEqual(["yes"]);
});

test("of votes that do not come the newest 256 are awaited", () => {
  const told: number[] = [];
  const votes = lateVotes();
  for (let round = 0; round < 300; round++) votes.await(1, round, () => told.push(round));
  const yes = (round: number) => votes.hear(1, { kind: "yes", round } as Parameters<typeof votes.hear>[1], false);
  yes(43);
  yes(44);
  yes(299);
  expect(told).toEqual([44, 299]);
});

test("exchanges before the run's first round show no progress", () => {
  const reached = (meets: boolean) => {
    const claims = claimsIn(5);
    claims.believe({ first: 1000, witnesses: 1 });
    if (meets) claims.inStep(1005, 1);
    else claims.inStep(10, 1);
    // Two peers claim a round that a pace from a meeting at round 10 would put out of reach.
    for (const peer of [1, 2]) claims.note(peer, 1020);
    return claims.reached(2);
  };
  expect([reached(true), reached(false)]).toEqual([1020, 1020]);
});

test("silent is who was due that often", () => {
  const encounters = new Encounters();
  const note = (partner: number) =>
    encounters.note({ partners: [partner], missing: [partner], lost: [], mended: [] } as never as Parameters<
      typeof encounters.note
    >[0]);
  for (const partner of [1, 2, 2, 2, 3, 3]) note(partner);
  expect([encounters.silent(1), encounters.silent(2), encounters.silent(3)]).toEqual([[1, 2, 3], [2, 3], [2]]);
});
