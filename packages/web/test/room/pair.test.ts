/** How two members come to be linked: both machines against each other, with texts that get lost. */

import { describe, expect, it } from "vitest";
import { Pair, type PairAction, type PairEvent, type PairText, type Way, waysOf } from "../../src/room/pair.ts";
import type { Occupant } from "../../src/room/protocol.ts";

const patience = { answer: 1000, open: 2000, pause: 100, longestPause: 400 };

/** Two machines whose texts reach each other, whose clock is `tick`, and whose ends open or fail as told. */
function bench(ways: readonly Way[]) {
  const pairs = [new Pair(true, ways, patience), new Pair(false, ways, patience)];
  const opening: ({ way: Way; attempt: number } | undefined)[] = [undefined, undefined];
  const alarms: { alarm: number; at: number }[] = [
    { alarm: -1, at: Number.POSITIVE_INFINITY },
    { alarm: -1, at: Number.POSITIVE_INFINITY },
  ];
  const log: string[] = [];
  const world = { deaf: false, now: 0 };
  const take = (side: number, event: PairEvent): void => {
    for (const action of pairs[side].take(event)) act(side, action);
  };
  const act = (side: number, action: PairAction): void => {
    switch (action.kind) {
      case "say":
        log.push(`${side} ${action.text.say} ${action.text.attempt}`);
        if (!world.deaf) take(1 - side, { kind: "text", text: action.text as Exclude<PairText, { say: "rtc" }> });
        break;
      case "open":
        opening[side] = action;
        log.push(`${side} opens ${action.way}`);
        break;
      case "drop":
        opening[side] = undefined;
        break;
      case "alarm":
        alarms[side] = { alarm: action.alarm, at: world.now + action.after };
        break;
      case "give up":
        log.push(`${side} gives up`);
    }
  };
  return {
    ...{ pairs, opening, log, world, take },
    both(event: PairEvent) {
      for (const side of [0, 1]) take(side, event);
    },
    /** Lets time pass, alarm by alarm. */
    tick(milliseconds: number) {
      const end = world.now + milliseconds;
      for (;;) {
        const side = alarms[0].at <= alarms[1].at ? 0 : 1;
        if (alarms[side].at > end) break;
        world.now = alarms[side].at;
        const { alarm } = alarms[side];
        alarms[side] = { alarm: -1, at: Number.POSITIVE_INFINITY };
        take(side, { kind: "alarm", alarm });
      }
      world.now = end;
    },
    states: () => pairs.map(({ state }) => state),
  };
}

const occupant = (rank: number, more: Partial<Occupant> = {}): Occupant => {
  return { rank, epoch: 1, runtime: "browser", rtc: true, seal: true, listening: {}, ...more };
};

describe("ways", () => {
  it("are those that both have, the relay last", () => {
    const node = occupant(1, { runtime: "node", listening: { websocket: "ws://127.0.0.1:1/" } });
    expect(waysOf(occupant(0), node)).toEqual(["websocket", "rtc", "relay"]);
    expect(waysOf(occupant(0), occupant(1))).toEqual(["rtc", "relay"]);
    expect(waysOf(occupant(0, { rtc: false }), occupant(1))).toEqual(["relay"]);
    expect(waysOf(occupant(0, { seal: false }), occupant(1, { rtc: false }))).toEqual([]);
  });
});

describe("a pair", () => {
  it("opens both ends by the first way, once the follower is ready", () => {
    const { log, both, take, states } = bench(["rtc", "relay"]);
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    expect(log).toEqual(["0 try 1", "1 opens rtc", "1 ready 1", "0 opens rtc"]);
    both({ kind: "linked" });
    expect(states()).toEqual(["linked", "linked"]);
  });

  it("goes on to the next way where one comes to nothing, on either side", () => {
    for (const side of [0, 1]) {
      const { log, take, opening } = bench(["websocket", "rtc", "relay"]);
      take(1, { kind: "present" });
      take(0, { kind: "present" });
      take(side, { kind: "failed", attempt: 1 });
      expect(opening.map((end) => end?.way)).toEqual(["rtc", "rtc"]);
      take(side, { kind: "failed", attempt: 2 });
      expect(opening.map((end) => [end?.way, end?.attempt])).toEqual([
        ["relay", 3],
        ["relay", 3],
      ]);
      // What is over disturbs nobody.
      const before = log.length;
      take(side, { kind: "failed", attempt: 1 });
      expect(log.length).toBe(before);
    }
  });

  it("does so by its own clock where nothing is heard of an end", () => {
    const { tick, take, opening } = bench(["rtc", "relay"]);
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    tick(2000);
    expect(opening.map((end) => end?.way)).toEqual(["relay", "relay"]);
  });

  it("gives up for a while, longer each time, where no way is left or nobody answers", () => {
    const { log, tick, take, world } = bench(["relay"]);
    world.deaf = true;
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    tick(999);
    expect(log).toEqual(["0 try 1"]);
    tick(10_000);
    const tries = log.filter((line) => line.startsWith("0 try"));
    // At 0, 1100, 2300 and every 1400 from there: 1000 for the answer, and 100, 200, 400, 400, ... of pause.
    expect(tries).toHaveLength(9);
    expect(log).toContain("0 gives up");
    expect(log).toContain("1 gives up");
    world.deaf = false;
    tick(2000);
    expect(log.at(-1)).toBe("0 opens relay");
  });

  it("is led anew where a link is lost, also where only the follower knows", () => {
    const { log, tick, take, both, opening } = bench(["rtc"]);
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    both({ kind: "linked" });
    opening.fill(undefined);
    take(1, { kind: "unlinked", left: false });
    tick(100);
    expect(log.slice(-5)).toEqual(["1 again 1", "0 try 2", "1 opens rtc", "1 ready 2", "0 opens rtc"]);
  });

  it("is left alone where the other said goodbye, until it is back", () => {
    const { log, tick, take, both } = bench(["rtc"]);
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    both({ kind: "linked" });
    const before = log.length;
    both({ kind: "unlinked", left: true });
    tick(60_000);
    expect(log.length).toBe(before);
    take(0, { kind: "present" });
    expect(log.at(-1)).toBe("0 opens rtc");
  });

  it("does not wait out its pause where texts get through again", () => {
    const { log, tick, take, world } = bench(["rtc"]);
    world.deaf = true;
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    tick(1050);
    world.deaf = false;
    take(0, { kind: "hurry" });
    expect(log.at(-1)).toBe("0 opens rtc");
  });

  it("finds together again after a text of nobody's, with an attempt that never was", () => {
    for (const forged of [0xffff_ffff, 1000]) {
      const { take, tick, both, opening } = bench(["rtc"]);
      take(1, { kind: "present" });
      take(0, { kind: "present" });
      both({ kind: "linked" });
      take(1, { kind: "text", text: { say: "try", attempt: forged, way: "rtc" } });
      both({ kind: "linked" });
      opening.fill(undefined);
      both({ kind: "unlinked", left: false });
      tick(2000);
      expect(opening.map((end) => end?.way)).toEqual(["rtc", "rtc"]);
    }
  });

  it("takes no lead from a follower, and no older attempt", () => {
    const { take, log } = bench(["rtc"]);
    take(1, { kind: "present" });
    take(0, { kind: "present" });
    const before = log.length;
    take(0, { kind: "text", text: { say: "try", attempt: 9, way: "rtc" } });
    take(1, { kind: "text", text: { say: "try", attempt: 1, way: "rtc" } });
    take(1, { kind: "text", text: { say: "try", attempt: 5, way: "relay" } });
    take(0, { kind: "text", text: { say: "failed", attempt: 0 } });
    expect(log.length).toBe(before);
  });
});
