/**
 * Thirty minutes of elastic peers on a modelled clock: every few seconds one is killed, hangs, comes, comes back with or
 * without its votes or with its clock an hour back, or leaves, or the network is cut in two. No two epochs of one number, all
 * histories accepted, and when it is quiet again everybody who is there is a member and takes part.
 */

import { expect, it } from "vitest";
import { checkHistories } from "../../../src/peer/history/checker.ts";
import type { HistoryLine } from "../../../src/peer/history/history.ts";
import { RandomStream } from "../../../src/random/stream.ts";
import { memoryStore } from "../store.ts";
import { Elastic } from "./elastic.ts";
import { upTo } from "./schedule.ts";

const [n, seats, minutes, hour] = [5, 8, 30, 3_600_000];

it.each([1, 2])(
  "a soak, seed %d",
  async (seed) => {
    const draws = new RandomStream(seed, 7);
    const elastic = new Elastic("ou-equidyn", "dsgt", { n, seats, rounds: 1e7 }, { seed, delay: [5, 20] });
    const { network } = elastic;
    const histories = upTo(seats).map((): HistoryLine[] => []);
    const votes = upTo(seats).map(memoryStore);
    const epochs = new Map<number, string>();
    const here = new Set<number>();
    const hung = new Set<number>();
    /** Numbers that two epochs have had. */
    const twice: number[] = [];
    const happened = new Map<string, number>();
    let [side, started] = [0, 10 * hour];
    elastic.link = (from, to) => !hung.has(from) && !hung.has(to) && ((side >> from) & 1) === ((side >> to) & 1);
    const start = (seat: number, remember: boolean, back = 0): void => {
      here.add(seat);
      if (!remember) votes[seat] = memoryStore();
      elastic.start(seat, {
        ...{ memory: votes[seat], incarnation: ++started - back, historian: (line) => void histories[seat].push(line) },
        onEpoch({ number, members, first }) {
          const text = JSON.stringify({ members, first });
          if ((epochs.get(number) ?? text) !== text) twice.push(number);
          epochs.set(number, text);
        },
        patience: { beat: 100, silence: 1000, absence: 300, start: 30_000 },
      });
      const peer = elastic.peer(seat);
      // Who was removed while it was away ends by itself, and may come again.
      void peer.ended.then(() => elastic.peer(seat) === peer && here.delete(seat));
    };
    const kill = (seat: number): void => {
      here.delete(seat);
      elastic.peer(seat).crash();
    };
    /** Whether everybody who is there is a member, and nobody else. */
    const settled = (): boolean => {
      const { members } = JSON.parse(epochs.get(Math.max(...epochs.keys())) ?? '{"members":[]}');
      const now = [...here].sort((a, b) => a - b);
      return now.join() === members.map(({ seat }: { seat: number }) => seat).join();
    };
    /** Most of the members stay, so that there is always somebody to agree. */
    const happen = (): void => {
      const seat = draws.below(seats);
      const mayGo = settled() && here.size > 3 && here.has(seat) && hung.size === 0 && side === 0;
      const what = ["kill", "restart", "clock", "leave", "hang", "cut", "come"][draws.below(7)];
      if (what === "come" ? here.has(seat) : !mayGo) return;
      happened.set(what, (happened.get(what) ?? 0) + 1);
      const later = (run: () => void) => network.after(500 + draws.below(3000), run);
      if (what === "come") start(seat, false);
      else if (what === "leave") {
        here.delete(seat);
        elastic.peer(seat).leave();
      } else if (what === "hang") {
        hung.add(seat);
        later(() => hung.delete(seat));
      } else if (what === "cut") {
        side = 1 + draws.below(2 ** seats - 2);
        later(() => {
          side = 0;
        });
      } else {
        kill(seat);
        if (what !== "kill")
          later(() => here.has(seat) || start(seat, what === "restart", what === "clock" ? hour : 0));
      }
    };
    for (const seat of upTo(n)) start(seat, true);
    while (network.time < minutes * 60_000) {
      await network.sleep(3000 + draws.below(4000));
      happen();
    }
    await network.sleep(60_000);
    const before = [...here].map((seat) => elastic.peer(seat).updates);
    await network.sleep(20_000);
    const last = Math.max(...epochs.keys());
    expect(JSON.parse(epochs.get(last) as string).members.map((one: { seat: number }) => one.seat)).toEqual(
      [...here].sort((a, b) => a - b),
    );
    [...here].forEach((seat, k) => {
      expect(elastic.peer(seat).updates).toBeGreaterThan(before[k] + 100);
    });
    expect(twice).toEqual([]);
    expect(happened.size).toBe(7);
    expect(last).toBeGreaterThan(100);
    const { violations, counts } = checkHistories(histories);
    expect(violations.slice(0, 3)).toEqual([]);
    expect(counts.applied).toBeGreaterThan(50_000);
    for (const seat of here) kill(seat);
  },
  600_000,
);
