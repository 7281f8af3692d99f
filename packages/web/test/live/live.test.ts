import { InputError } from "equitopo";
import { describe, expect, test } from "vitest";
import { decodeLive, encodeLive, LiveBoard, type LiveEvent } from "../../src/index.ts";

const begin: LiveEvent = {
  kind: "begin",
  title: "a title",
  how: "peers over tcp",
  runs: [{ label: "ring", topology: { name: "ring", n: 5 }, rounds: 30, seed: 1 }],
};
const round: LiveEvent = { kind: "round", rank: 3, run: 0, round: 17, partners: [2, 4], bytes: 640, lag: -2 };
const faults: LiveEvent = {
  ...{ kind: "faults", rank: 3, run: 0 },
  faults: { missed: 2, voided: 1, late: 0, reconnects: 1, refused: 0, longestWait: 12.5 },
};
const events: readonly LiveEvent[] = [
  begin,
  round,
  faults,
  { kind: "share", run: 0, share: 0.25 },
  { kind: "metrics", run: 0, updates: 10, metrics: { relativeError: 0.125 } },
  { kind: "result", run: 0, stateHash: "ab" },
  { kind: "gone", rank: 3 },
  { kind: "end", rank: 3 },
  { kind: "over" },
];

describe("a line of the live stream", () => {
  test.each(events)("%j comes back", (event) => {
    expect(decodeLive(encodeLive({ source: "s", event }))).toEqual({ source: "s", event });
  });

  test("says of a run that diverged that its metric is no number", () => {
    const event: LiveEvent = { kind: "metrics", run: 0, updates: 1, metrics: { loss: Number.POSITIVE_INFINITY } };
    expect(decodeLive(encodeLive({ source: "s", event })).event).toEqual({ ...event, metrics: { loss: Number.NaN } });
  });

  test("leaves behind what is not known: no rows of models pass through", () => {
    const line = JSON.stringify({ version: 1, source: "s", ...round, x: [1, 2, 3] });
    expect(decodeLive(line).event).toEqual(round);
  });

  test.each([
    ["half a line", encodeLive({ source: "s", event: round }).slice(0, 40)],
    ["no object", "7"],
    ["another version", JSON.stringify({ version: 2, source: "s", ...round })],
    ["a kind that an object has by birth", JSON.stringify({ version: 1, source: "s", kind: "toString" })],
    ["a rank beyond any network", JSON.stringify({ version: 1, source: "s", ...round, rank: 1e9 })],
    ["a round that is none", JSON.stringify({ version: 1, source: "s", ...round, round: -1 })],
    ["partners that are none", JSON.stringify({ version: 1, source: "s", ...round, partners: "all" })],
    ["no source", JSON.stringify({ version: 1, ...round })],
    ["a title without end", JSON.stringify({ version: 1, source: "s", ...begin, title: "x".repeat(201) })],
    ["a topology without n", JSON.stringify({ version: 1, source: "s", ...begin, runs: [{ topology: {} }] })],
  ])("%s is refused", (_, line) => {
    expect(() => decodeLive(line)).toThrow(InputError);
  });
});

describe("the board", () => {
  test("shows where peers stand, what went wrong, and how far simulated runs are", () => {
    const board = new LiveBoard();
    for (const event of events.slice(0, 6)) board.take({ source: "s", event });
    const [source] = board.sources;
    expect(source.peers[3]).toEqual({ ...round, kind: undefined, faults: faults.faults, state: "running" });
    expect(source).toMatchObject({ shares: { 0: 1 }, stateHashes: { 0: "ab" }, over: false });
    expect(source.curves[0]).toEqual({ relativeError: { updates: [10], values: [0.125] } });
    board.take({ source: "s", event: { kind: "gone", rank: 3 } });
    expect(source.peers[3].state).toBe("gone");
    board.take({ source: "s", event: round });
    expect(source.peers[3]).toMatchObject({ state: "running", faults: faults.faults });
    board.take({ source: "s", event: { kind: "end", rank: 3 } });
    board.take({ source: "s", event: { kind: "gone", rank: 3 } });
    expect(source.peers[3].state).toBe("ended");
  });

  test("is the same for a page that comes late", () => {
    const early = new LiveBoard();
    const [first, rest] = [events.slice(0, 4), events.slice(4)];
    for (const event of first) early.take({ source: "s", event });
    const late = new LiveBoard(JSON.parse(JSON.stringify(early.sources)));
    for (const board of [early, late]) for (const event of rest) board.take({ source: "s", event });
    expect(late.sources).toEqual(early.sources);
  });

  test("every peer of a network begins it without wiping what the others told; a run that is over begins anew", () => {
    const board = new LiveBoard();
    for (const event of [begin, round, begin]) board.take({ source: "s", event });
    expect(Object.keys(board.sources[0].peers)).toEqual(["3"]);
    for (const event of [{ kind: "over" }, begin] as const) board.take({ source: "s", event });
    expect(board.sources[0].peers).toEqual({});
  });

  test("knows nothing of who has not begun, of runs that are not there, and of more than eight sources", () => {
    const board = new LiveBoard();
    board.take({ source: "s", event: round });
    expect(board.sources).toEqual([]);
    board.take({ source: "s", event: begin });
    board.take({ source: "s", event: { ...round, run: 1 } });
    expect(board.sources[0].peers).toEqual({});
    for (let k = 0; k < 9; k++) board.take({ source: String(k), event: begin });
    expect(board.sources.map(({ source }) => source).join("")).toBe("12345678");
  });

  test("keeps curves of bounded length, the last point among them", () => {
    const board = new LiveBoard();
    board.take({ source: "s", event: begin });
    for (let k = 0; k <= 10_000; k++) {
      board.take({ source: "s", event: { kind: "metrics", run: 0, updates: k, metrics: { loss: 1 / k } } });
    }
    const { updates, values } = board.sources[0].curves[0]["loss"];
    expect(updates.length).toBeLessThanOrEqual(2000);
    expect([updates[0], updates.at(-1)]).toEqual([0, 10_000]);
    expect(values).toEqual(updates.map((at) => 1 / at));
  });
});

describe("what a source may fill", () => {
  const board = () => {
    const one = new LiveBoard();
    one.take({ source: "s", event: { ...begin, runs: Array.from({ length: 50 }, () => begin.runs[0]) } });
    return one;
  };

  test("is bounded for names of metrics, and for the points of all of them", () => {
    const one = board();
    for (let k = 0; k < 20_000; k++) {
      one.take({ source: "s", event: { kind: "metrics", run: k % 50, updates: k, metrics: { [`name ${k}`]: 1 } } });
    }
    for (let k = 0; k < 400; k++) {
      const metrics = Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`name ${j * 50}`, k]));
      one.take({ source: "s", event: { kind: "metrics", run: 0, updates: k, metrics } });
    }
    const curves = Object.values(one.sources[0].curves).flatMap((byName) => Object.values(byName));
    expect(curves.length).toBe(4096);
    expect(curves.reduce((sum, { values }) => sum + values.length, 0)).toBeLessThan(210_000);
    expect(Math.max(...curves.map(({ values }) => values.length))).toBeLessThanOrEqual(50);
  });

  test("is bounded for peers, and one with few curves keeps them as long as ever", () => {
    const one = board();
    for (let rank = 0; rank < 5000; rank++) one.take({ source: "s", event: { ...round, rank } });
    expect(Object.keys(one.sources[0].peers).length).toBe(1000);
    one.take({ source: "s", event: { ...round, rank: 999, round: 99 } });
    expect(one.sources[0].peers[999].round).toBe(99);
    for (let k = 0; k < 2000; k++)
      one.take({ source: "s", event: { kind: "metrics", run: 0, updates: k, metrics: { a: k } } });
    expect(one.sources[0].curves[0]["a"].values.length).toBe(2000);
  });

  test("has no depth that ends who walks through it", () => {
    const deep = `${"[".repeat(4000)}${"]".repeat(4000)}`;
    const line = encodeLive({ source: "s", event: begin }).replace('"name":"ring"', `"name":"ring","seeds":${deep}`);
    expect(() => decodeLive(line)).toThrow(InputError);
  });
});
