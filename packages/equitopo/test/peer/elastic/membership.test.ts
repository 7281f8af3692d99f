/** Membership epochs: what each case comes to, and thousands of schedules in which nothing may ever be decided twice. */

import { describe, expect, it } from "vitest";
import { chaos, neverTwice, Schedule, upTo } from "./schedule.ts";

function begun(options: ConstructorParameters<typeof Schedule>[0]): Schedule {
  const schedule = new Schedule(options);
  for (const seat of upTo(options.n)) schedule.start(seat);
  schedule.run(6000);
  return schedule;
}

describe("membership", () => {
  it("opens with all n, at once, and nothing changes while nothing happens", () => {
    const schedule = begun({ seed: 1, n: 8, bytes: true });
    expect([...schedule.peers.values()].every(({ machine }) => machine.stage === "member")).toBe(true);
    schedule.run(60_000);
    expect(schedule.newest.number).toBe(0);
  });

  it("opens with a majority where some never come, and with no fewer", () => {
    for (const [come, opens] of [
      [5, true],
      [4, false],
    ] as const) {
      const schedule = new Schedule({ seed: 2, n: 8 });
      for (const seat of upTo(come)) schedule.start(seat);
      schedule.run(4000);
      expect([...schedule.peers.values()].some(({ machine }) => machine.isMember)).toBe(false);
      schedule.run(30_000);
      expect([...schedule.peers.values()].every(({ machine }) => machine.isMember)).toBe(opens);
      // Those that never came are taken out by the others.
      expect(schedule.members.length).toBe(opens ? 5 : 8);
    }
  });

  it("lets a newcomer in, and all begin the epoch ahead of where anybody stands", () => {
    const schedule = begun({ seed: 3, n: 4, seats: 6, bytes: true });
    schedule.start(5);
    schedule.run(20_000);
    expect(schedule.agree([0, 1, 2, 3, 5])).toBe(true);
    expect(schedule.newest.number).toBe(1);
    const { epoch, time } = schedule.decided.get(1) as { epoch: { first: number }; time: number };
    expect(epoch.first).toBeGreaterThanOrEqual(Math.floor(time / 100));
    expect(epoch.first).toBeLessThan(Math.floor(time / 100) + 20);
  });

  it("lets one go that says so, and does not let it in again", () => {
    const schedule = begun({ seed: 4, n: 4 });
    schedule.leave(1);
    schedule.run(30_000);
    expect(schedule.agree([0, 2, 3])).toBe(true);
    expect(schedule.peers.get(1)?.machine.stage).toBe("left");
    expect(schedule.newest.number).toBe(1);
    // Five messages for each member but the proposer, beside the beats.
    expect([...schedule.said].filter(([say]) => say !== "beat")).toEqual(
      ["prepare", "promise", "accept", "accepted", "decided"].map((say) => [say, 3]),
    );
  });

  it("lets all go at once, and the last one that is left", () => {
    for (const n of [4, 1]) {
      const schedule = begun({ seed: 11, n });
      for (const seat of upTo(n)) schedule.leave(seat);
      schedule.run(12_000);
      expect([...schedule.peers.values()].map(({ machine }) => machine.stage)).toEqual(upTo(n).map(() => "left"));
    }
  });

  it("takes a third out that dies at once, in one epoch", () => {
    const schedule = begun({ seed: 5, n: 9 });
    for (const seat of [2, 3, 7]) schedule.crash(seat);
    schedule.run(30_000);
    expect(schedule.agree([0, 1, 4, 5, 6, 8])).toBe(true);
    expect(schedule.newest.number).toBe(1);
  });

  it("changes nothing in two halves of the same size, and both are one again afterwards", () => {
    const schedule = begun({ seed: 6, n: 8 });
    schedule.link = (from, to) => from < 4 === to < 4;
    schedule.run(60_000);
    expect(schedule.newest.number).toBe(0);
    schedule.link = () => true;
    schedule.run(80_000);
    expect(schedule.newest.number).toBe(0);
    expect([...schedule.peers.values()].every(({ machine }) => machine.isMember)).toBe(true);
  });

  it("goes on in the larger of two parts only; those of the other come back as newcomers", () => {
    const schedule = begun({ seed: 7, n: 8 });
    schedule.link = (from, to) => from < 3 === to < 3;
    schedule.run(40_000);
    expect(schedule.members).toEqual([3, 4, 5, 6, 7]);
    expect(upTo(3).map((seat) => schedule.peers.get(seat)?.machine.epoch.number)).toEqual([0, 0, 0]);
    schedule.link = () => true;
    schedule.run(80_000);
    expect(schedule.agree(upTo(8))).toBe(true);
  });

  it("takes nobody out because of one cut way", () => {
    const schedule = begun({ seed: 8, n: 5 });
    schedule.link = (from, to) => !((from === 0 && to === 1) || (from === 1 && to === 0));
    schedule.run(60_000);
    expect(schedule.newest.number).toBe(0);
  });

  it("takes one that was started again without its memory for somebody new, with it for itself", () => {
    const schedule = begun({ seed: 9, n: 5 });
    schedule.start(2, true);
    schedule.run(20_000);
    expect(schedule.newest.number).toBe(0);
    expect(schedule.peers.get(2)?.machine.isMember).toBe(true);
    const before = schedule.peers.get(2)?.machine.incarnation;
    schedule.start(2);
    schedule.run(40_000);
    expect(schedule.agree(upTo(5))).toBe(true);
    expect(schedule.newest.number).toBe(1);
    expect(schedule.newest.members[2].incarnation).not.toBe(before);
  });

  it("blames nobody for the time that it stood still itself", () => {
    const schedule = begun({ seed: 10, n: 3 });
    const machine = schedule.peers.get(0)?.machine;
    machine?.tick(1e6);
    expect(machine?.drain().flatMap((effect) => (effect.kind === "send" ? [effect.message] : []))).toMatchObject([
      { say: "beat", missed: [] },
      { say: "beat", missed: [] },
    ]);
  });
});

describe("schedules", () => {
  it("never decide one epoch twice, nor any without a majority", () => {
    expect(neverTwice(0, 700)).toBeGreaterThan(400);
  });

  it("come to rest with everybody in once nothing goes wrong any more", () => {
    for (let seed = 0; seed < 12; seed++) {
      const schedule = chaos(10_000 + seed, true);
      schedule.link = () => true;
      for (const seat of upTo(7)) if (!schedule.peers.has(seat)) schedule.start(seat, true);
      schedule.run(60_000);
      for (const [seat, { machine }] of schedule.peers) if (machine.stage === "left") schedule.start(seat);
      schedule.run(120_000);
      expect(schedule.agree(upTo(7)), `schedule ${seed}`).toBe(true);
    }
  });
});
