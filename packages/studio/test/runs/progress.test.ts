import type { LivePeer, LiveSource } from "@equitopo/web";
import { expect, test } from "vitest";
import { furthestBehind, progressOf } from "../../src/runs/progress.ts";

const faults = { missed: 1, voided: 2, late: 3, reconnects: 4, refused: 5, longestWait: 6 };
const peer = (rank: number, round: number, more: Partial<LivePeer> = {}): LivePeer => {
  return { rank, run: 0, round, partners: [], bytes: 10, lag: 0, faults: null, state: "running", ...more };
};
const source = (...peers: LivePeer[]): LiveSource => ({
  ...{ source: "s", title: "", how: "", runs: [], shares: {}, curves: {}, stateHashes: {}, over: false },
  peers: Object.fromEntries(peers.map((one) => [one.rank, one])),
});

test("nothing is known of a simulation's peers", () => {
  expect(progressOf(source())).toBeUndefined();
});

test("least and most are of the run that the last one is in; faults are summed", () => {
  const found = progressOf(
    source(peer(0, 9, { faults }), peer(1, 4, { lag: 5, faults }), peer(2, 1, { run: 1, state: "ended" })),
  );
  expect(found).toEqual({
    ...{ run: 0, heard: 3, running: 2, ended: 1, gone: 0, least: 5, most: 10, largestLag: 5 },
    ...{ missed: 2, voided: 4, late: 6, reconnects: 8, refused: 10, bytes: 30 },
  });
});

test("who is gone holds nobody up, unless all are", () => {
  expect(progressOf(source(peer(0, 9), peer(1, 2, { state: "gone" })))).toMatchObject({ least: 10, gone: 1 });
  expect(progressOf(source(peer(1, 2, { state: "gone" })))).toMatchObject({ least: 3, gone: 1 });
});

test("of many peers those furthest behind are shown, in order", () => {
  const many = source(...Array.from({ length: 100 }, (_, rank) => peer(rank, rank % 10 === 3 ? 1 : 50)));
  expect(furthestBehind(many, 5).map(({ rank }) => rank)).toEqual([3, 13, 23, 33, 43]);
  expect(furthestBehind(many, 100)).toHaveLength(100);
});
