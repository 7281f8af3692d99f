/** Claims kept in order as they go up answer what sorting all of them would answer. */

import { describe, expect, it } from "vitest";
import { claimsIn, majority, usualLag } from "../../../src/peer/exchange/claims.ts";
import { rankingOf } from "../../../src/peer/exchange/ranking.ts";
import { RandomStream } from "../../../src/random/stream.ts";

/** The definition (claims.ts), over all claims at once. */
function definition(size: number) {
  const claimed = new Array<number>(size).fill(-1);
  let [last, witnesses] = [Number.POSITIVE_INFINITY, 2];
  let step: { round: number; time: number } | undefined;
  let [since, way] = [0, 0];
  return {
    believe: (more: { last: number; witnesses: 1 | 2 }) => {
      ({ last, witnesses } = more);
    },
    note: (peer: number, round: number) => {
      claimed[peer] = Math.max(claimed[peer], round);
    },
    inStep(round: number, time: number) {
      if (step === undefined) since = time;
      else way += Math.min(round - step.round, usualLag(size));
      step = { round, time };
    },
    reached(time: number) {
      const heard = claimed.filter((round) => round >= 0 && round <= last).sort((a, b) => b - a);
      const most = heard[majority(size) - 1] ?? -1;
      let limit = Math.max(most, heard[Math.floor(heard.length / 2)] ?? -1);
      if (step !== undefined) {
        const elapsed = step.time - since;
        limit = Math.max(most, step.round + 8 * (elapsed > 0 ? way / elapsed : 1) * (time - step.time));
      }
      const needed = size <= 2 ? 1 : witnesses;
      return heard.find((round, higher) => higher >= needed - 1 && round <= limit + usualLag(size)) ?? -1;
    },
  };
}

describe("claims in order", () => {
  it.each([1, 2, 3, 5, 8, 33])("n = %i: what is reached is what the definition says, whatever is claimed", (size) => {
    for (let seed = 0; seed < 40; seed++) {
      const dice = new RandomStream(seed, 100, size);
      const [claims, wanted] = [claimsIn(size), definition(size)];
      const both = [claims, wanted];
      for (let t = 0; t < 150; t++) {
        const peer = dice.below(size);
        const kind = dice.below(20);
        const round = kind === 0 ? 2 ** 40 + dice.below(3) : kind === 1 ? dice.below(1000) : t + dice.below(4) - 2;
        for (const one of both) one.note(peer, round);
        if (seed % 2 === 0 && dice.below(3) === 0) for (const one of both) one.inStep(t, 10 * t);
        if (dice.below(50) === 0) {
          const belief = {
            last: dice.below(2) === 0 ? 100 + dice.below(900) : 2 ** 41,
            witnesses: (1 + dice.below(2)) as 1 | 2,
          };
          for (const one of both) one.believe(belief);
        }
        expect(claims.reached(10 * t + 5)).toBe(wanted.reached(10 * t + 5));
      }
    }
  });

  it("keeps the marked place as peers come, rise and go", () => {
    const claimed = new Float64Array(6).fill(-1);
    const ranking = rankingOf(claimed, 3);
    const dice = new RandomStream(7, 100);
    for (let t = 0; t < 2000; t++) {
      const peer = dice.below(6);
      if (dice.below(4) === 0) {
        claimed[peer] = -1;
        ranking.remove(peer);
      } else {
        claimed[peer] = dice.below(9);
        ranking.place(peer);
      }
      const sorted = [...claimed].filter((claim) => claim >= 0).sort((a, b) => b - a);
      const order: number[] = [];
      for (let next = ranking.next(); next >= 0; next = ranking.next(next)) order.push(claimed[next]);
      expect([order, ranking.count, ranking.marked]).toEqual([sorted, sorted.length, sorted[2] ?? -1]);
    }
  });
});
