/** How two members come to be linked: both machines against each other, with texts that get lost. */

import { describe, expect, it } from "vitest";
import { type Pair, type PairEffects, pairOf, type Way, waysOf } from "../../src/room/pair.ts";
import type { Occupant } from "../../src/room/protocol.ts";
import type { PairText } from "../../src/room/routes.ts";

const patience = { answer: 1000, open: 2000, pause: 100, longestPause: 400 };

/** Two machines whose texts reach each other, whose clock is `tick`, and whose ends open or fail as told. */
function bench(ways: readonly Way[]) {
  const opening: ({ way: Way; attempt: number } | undefined)[] = [undefined, undefined];
  const alarms = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const log: string[] = [];
  const world = { deaf: false, now: 0 };
  const pairs = [0, 1].map((side): Pair => {
    const effects: PairEffects = {
      say(text) {
        log.push(`${side} ${text.say} ${text.attempt}`);
        if (!world.deaf) pairs[1 - side].heard(text as Exclude<PairText, { say: "rtc" }>);
      },
      open(way, attempt) {
        opening[side] = { way, attempt };
        log.push(`${side} opens ${way}`);
      },
      drop() {
        opening[side] = undefined;
      },
      alarm(after) {
        alarms[side] = world.now + after;
      },
      giveUp: () => log.push(`${side} gives up`),
    };
    return pairOf(side === 0, ways, effects, patience);
  });
  return {
    ...{ pairs, opening, log, world },
    both(act: (pair: Pair) => void) {
      for (const pair of pairs) act(pair);
    },
    /** Lets time pass, alarm by alarm. */
    tick(milliseconds: number) {
      const end = world.now + milliseconds;
      for (;;) {
        const side = alarms[0] <= alarms[1] ? 0 : 1;
        if (alarms[side] > end) break;
        world.now = alarms[side];
        alarms[side] = Number.POSITIVE_INFINITY;
        pairs[side].rang();
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
    const { log, both, pairs, states } = bench(["rtc", "relay"]);
    pairs[1].present();
    pairs[0].present();
    expect(log).toEqual(["0 try 1", "1 opens rtc", "1 ready 1", "0 opens rtc"]);
    both((pair) => pair.linked());
    expect(states()).toEqual(["linked", "linked"]);
  });

  it("goes on to the next way where one comes to nothing, on either side", () => {
    for (const side of [0, 1]) {
      const { log, pairs, opening } = bench(["websocket", "rtc", "relay"]);
      pairs[1].present();
      pairs[0].present();
      pairs[side].failed(1);
      expect(opening.map((end) => end?.way)).toEqual(["rtc", "rtc"]);
      pairs[side].failed(2);
      expect(opening.map((end) => [end?.way, end?.attempt])).toEqual([
        ["relay", 3],
        ["relay", 3],
      ]);
      // What is over disturbs nobody.
      const before = log.length;
      pairs[side].failed(1);
      expect(log.length).toBe(before);
    }
  });

  it("does so by its own clock where nothing is heard of an end", () => {
    const { tick, pairs, opening } = bench(["rtc", "relay"]);
    pairs[1].present();
    pairs[0].present();
    tick(2000);
    expect(opening.map((end) => end?.way)).toEqual(["relay", "relay"]);
  });

  it("gives up for a while, longer each time, where no way is left or nobody answers", () => {
    const { log, tick, pairs, world } = bench(["relay"]);
    world.deaf = true;
    pairs[1].present();
    pairs[0].present();
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
    const { log, tick, pairs, both, opening } = bench(["rtc"]);
    pairs[1].present();
    pairs[0].present();
    both((pair) => pair.linked());
    opening.fill(undefined);
    pairs[1].unlinked(false);
    tick(100);
    expect(log.slice(-5)).toEqual(["1 again 1", "0 try 2", "1 opens rtc", "1 ready 2", "0 opens rtc"]);
  });

  it("is left alone where the other said goodbye, until it is back", () => {
    const { log, tick, pairs, both } = bench(["rtc"]);
    pairs[1].present();
    pairs[0].present();
    both((pair) => pair.linked());
    const before = log.length;
    both((pair) => pair.unlinked(true));
    tick(60_000);
    expect(log.length).toBe(before);
    pairs[0].present();
    expect(log.at(-1)).toBe("0 opens rtc");
  });

  it("does not wait out its pause where texts get through again", () => {
    const { log, tick, pairs, world } = bench(["rtc"]);
    world.deaf = true;
    pairs[1].present();
    pairs[0].present();
    tick(1050);
    world.deaf = false;
    pairs[0].hurry();
    expect(log.at(-1)).toBe("0 opens rtc");
  });

  it("finds together again after a text of nobody's, with an attempt that never was", () => {
    for (const forged of [0xffff_ffff, 1000]) {
      const { pairs, tick, both, opening } = bench(["rtc"]);
      pairs[1].present();
      pairs[0].present();
      both((pair) => pair.linked());
      pairs[1].heard({ say: "try", attempt: forged, way: "rtc" });
      both((pair) => pair.linked());
      opening.fill(undefined);
      both((pair) => pair.unlinked(false));
      tick(2000);
      expect(opening.map((end) => end?.way)).toEqual(["rtc", "rtc"]);
    }
  });

  it("takes no lead from a follower, and no older attempt", () => {
    const { pairs, log } = bench(["rtc"]);
    pairs[1].present();
    pairs[0].present();
    const before = log.length;
    pairs[0].heard({ say: "try", attempt: 9, way: "rtc" });
    pairs[1].heard({ say: "try", attempt: 1, way: "rtc" });
    pairs[1].heard({ say: "try", attempt: 5, way: "relay" });
    pairs[0].heard({ say: "failed", attempt: 0 });
    expect(log.length).toBe(before);
  });
});
