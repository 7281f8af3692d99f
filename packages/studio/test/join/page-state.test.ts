import type { RoundReport } from "equitopo/peer";
import { describe, expect, test } from "vitest";
import { digest, type Standing } from "../../src/join/digest.ts";
import { pickedFiles, pixels } from "../../src/join/files.ts";
import { after, countLinks, failed, nothingShown, type SeatEvent } from "../../src/join/page-state.ts";
import { curveOf, type Point, thinned } from "../../src/join/points.ts";
import { linksInWords, seatsInWords, serverInWords, stateInWords } from "../../src/join/words.ts";

const shown = (...events: SeatEvent[]) => events.reduce(after, nothingShown);
const run = { label: "DSGD over OD-EquiDyn", rounds: 100, measure: "Loss" };
const seated: SeatEvent = { rank: 2, size: 5 };
const runs: SeatEvent = { phase: "connecting", runs: [run, run] };
const links = (...open: [number, "rtc" | "relay"][]): SeatEvent => ({ wanted: 4, open: new Map(open) });
const standing = (more: Partial<Standing>): SeatEvent => ({
  phase: "training",
  standing: {
    ...{
      run: 0,
      updates: 10,
      partners: [1],
      missing: [],
      sentBytes: 0,
      receivedBytes: 0,
      missed: 0,
      lag: 0,
      points: [],
    },
    ...more,
  },
});

describe("what a seat's page shows", () => {
  test("from the link to the end", () => {
    const here = [{ rank: 2, runtime: "browser" as const }];
    const joining = shown(seated, runs, { here }, links([0, "rtc"]));
    expect(stateInWords(joining)).toBe("1 of 5 are here, 1 of 4 connections are open.");
    const training = after(joining, standing({ points: [[10, 0.5]], accuracy: { updates: 8, value: 0.5, what: "x" } }));
    expect(stateInWords(training)).toBe("Training: round 10 of 100.");
    const next = after(training, standing({ updates: 20, points: [[20, 0.25]] }));
    expect(next).toMatchObject({
      points: [
        [10, 0.5],
        [20, 0.25],
      ],
      accuracy: { updates: 8 },
    });
    expect(after(next, standing({ run: 1, points: [[1, 7]] })).points).toEqual([[1, 7]]);
    const ended = after(next, { phase: "ended", result: { rowHashes: ["a"], done: 100, skipped: 0, files: {} } });
    expect(after(ended, failed({ what: "late", remedy: "none" }))).toBe(ended);
  });

  test("who leaves before the start leaves nobody to go on", () => {
    const left: SeatEvent = { phase: "left" };
    expect(stateInWords(shown(seated, runs, left))).toMatch(/^You have left before anything began/);
    expect(stateInWords(shown(seated, runs, standing({}), left))).toBe("You have left. The others go on without you.");
  });

  test("files are asked for before links are made", () => {
    const asked = shown(seated, { phase: "files", needed: { kind: "none" } });
    expect(asked.phase).toBe("files");
    expect(after(asked, links()).phase).toBe("files");
    expect(after(asked, runs).phase).toBe("connecting");
  });

  test("a dead server is spoken of while it matters", () => {
    const gone: SeatEvent = { server: false };
    expect(serverInWords(shown(seated))).toBeUndefined();
    expect(serverInWords(shown(seated, standing({}), gone))).toMatch(/goes on without it/);
    expect(serverInWords(shown(seated, gone))).toMatch(/nobody new can join/);
  });

  test("the ending shows the run's links, though partners that ended first have closed theirs", () => {
    const alone = shown(seated, links([0, "rtc"], [1, "relay"]), standing({}), links([1, "rtc"]));
    expect([...alone.open]).toEqual([[1, "rtc"]]);
    const result = { rowHashes: [], done: 3, skipped: 0, files: {} };
    expect(countLinks(after(alone, { phase: "ended", result }).open).rtc).toBe(2);
  });

  test("links are counted by what carries them", () => {
    const open = new Map([
      [0, "rtc"],
      [1, "rtc"],
      [3, "relay"],
    ] as const);
    expect(countLinks(open)).toEqual({ rtc: 2, websocket: 0, relay: 1, port: 0 });
    expect(linksInWords(open)).toBe("2 directly (WebRTC) and 1 through the server's relay");
    expect(seatsInWords([7, 3])).toBe("seats 3 and 7");
  });
});

describe("a curve that grows", () => {
  test("keeps its mean and its end when it is thinned", () => {
    const points = Array.from({ length: 1001 }, (_, k): Point => [k + 1, k]);
    const few = thinned(points, 400);
    expect(few.length).toBeLessThanOrEqual(400);
    expect(few.at(-1)).toEqual([1001, 1000]);
    expect(few[0]).toEqual([4, 1.5]);
    expect(thinned(points, 1001)).toBe(points);
  });

  test("is drawn within its box, and what is no number left out", () => {
    const curve = curveOf(
      [
        [0, 4],
        [5, Number.NaN],
        [10, 2],
      ],
      10,
      100,
      50,
    );
    expect(curve).toEqual({ path: "M0.0 0.0L100.0 50.0", least: 2, most: 4 });
    expect(curveOf([[1, Number.NaN]], 10, 100, 50)).toBeUndefined();
    expect(curveOf([[5, 3]], 10, 100, 50)?.path).toBe("M50.0 50.0");
  });
});

describe("rounds, boiled down", () => {
  const report = (round: number, missing: number[] = []): RoundReport => ({
    ...{ round, partners: [3, 3], missing, lost: [], mended: [], waited: 0, sentBytes: 0, receivedBytes: 0, lag: 0 },
  });
  const counts = { sentBytes: 5, receivedBytes: 6 };

  test("the mean of what was measured, everybody who was missed, and nothing twice", () => {
    const news = digest();
    expect(news.take(counts)).toBeUndefined();
    news.round(0, report(0, [3]), 1);
    news.round(0, report(1), Number.NaN);
    news.round(0, report(2), 3);
    expect(news.take(counts)).toEqual({
      ...{ run: 0, updates: 3, partners: [3], missing: [3], missed: 1, points: [[3, 2]], lag: 0 },
      ...counts,
    });
    expect(news.take(counts)).toBeUndefined();
  });

  test("the next run begins with nothing of the last", () => {
    const news = digest();
    news.round(0, report(9), 100);
    news.evaluated(10, { averagedRight: 3, averagedImages: 4 });
    news.round(1, report(0), 1);
    const taken = news.take(counts);
    expect(taken).toMatchObject({ run: 1, updates: 1, points: [[1, 1]] });
    expect(taken).not.toHaveProperty("accuracy");
  });

  test("its own model on all images says more than the average on a part", () => {
    const news = digest();
    news.evaluated(4, { averagedRight: 3, averagedImages: 4 });
    news.round(0, report(4), 1);
    expect(news.take(counts)?.accuracy).toMatchObject({ updates: 4, value: 0.75 });
    expect(news.take(counts)).toBeUndefined();
    // After the last round nothing but the evaluation is new.
    news.evaluated(8, { averagedRight: 3, averagedImages: 4, accuracy: 0.5 });
    expect(news.take(counts)?.accuracy).toMatchObject({ updates: 8, value: 0.5 });
  });
});

test("pictures become what the network takes: colours, or brightness", () => {
  const rgba = Uint8ClampedArray.of(255, 255, 255, 255, 255, 0, 0, 255);
  expect([...pixels(rgba, 3)]).toEqual([255, 255, 255, 255, 0, 0]);
  expect([...pixels(rgba, 1)]).toEqual([255, 76]);
});

test("picked files are found by name, in whatever folder they lay", () => {
  const files = pickedFiles([{ name: "mine/train.csv", bytes: Uint8Array.of(1) }]);
  expect(files.has("train.csv")).toBe(true);
  expect(files.has("rain.csv")).toBe(false);
  expect([...files.read("train.csv")]).toEqual([1]);
});
