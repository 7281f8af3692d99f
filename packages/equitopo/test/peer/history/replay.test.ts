/**
 * Asynchronous runs are done again from what peers wrote down, kills and restarts included, and held against it: whatever is
 * changed in a file is found, though the files alone may fit together.
 */

import { beforeAll, describe, expect, it } from "vitest";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { asyncHistory } from "../../../src/peer/history/async.ts";
import {
  decodeHistory,
  encodeLine,
  type HistoryLine,
  type IteratedLine,
  type RowLine,
} from "../../../src/peer/history/history.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { replayRun } from "../../../src/run/async/replay.ts";
import { expandSpec, type RunSpec } from "../../../src/run/spec.ts";
import { memoryStore } from "../store.ts";

type Files = readonly (readonly HistoryLine[])[];

const n = 4;

const runOf = (algorithm: "dsgd" | "dmsgd" | "push-sum", d: number): RunSpec =>
  expandSpec({
    ...{ topologies: [{ name: "od-equidyn", n, seed: 3 }], algorithms: [{ name: algorithm, learningRate: 0.01 }] },
    ...{ problem: { name: "least-squares", d, K: 4 }, rounds: 120, every: 120, mode: "async", seeds: [4] },
  })[0];

interface Kill {
  /** Who is killed after so many rounds of its own, and whether they are started again. */
  readonly ranks: readonly number[];
  readonly returns: boolean;
}

/** What all peers write, and their last rows. */
async function play(run: RunSpec, { ranks, returns }: Kill = { ranks: [], returns: false }) {
  const network = new MemoryNetwork(n);
  const files: HistoryLine[][] = Array.from({ length: n }, () => []);
  const rows: (readonly number[])[] = [];
  const live = async (rank: number, until: number, store = memoryStore()): Promise<void> => {
    let rounds = 0;
    const end = await runSpecPeer({
      ...{ transport: network.join(rank, { timeout: 300 }), runs: [run], timeout: 300, startTimeout: 600 },
      checkpoint: { store, every: 5 },
      history: (line) => void files[rank].push(line),
      onRound: () => {
        if (++rounds === until) network.crash(rank);
      },
      onRecord: ({ x }) => {
        rows[rank] = [...x];
      },
    }).catch((error: Error) => error);
    if (!(end instanceof Error)) return;
    expect(end.message).toMatch(/closed|crash/);
    if (returns) await live(rank, Number.POSITIVE_INFINITY, store);
  };
  await Promise.all(files.map((_, rank) => live(rank, ranks.includes(rank) ? 23 : Number.POSITIVE_INFINITY)));
  return { files: files.map((lines) => decodeHistory(lines.map(encodeLine).join(""))) as Files, rows };
}

const replayed = (run: RunSpec, files: Files) => replayRun(run, asyncHistory(files, 0));

const isRefused = (run: RunSpec, files: Files): boolean => {
  try {
    replayed(
      run,
      files.map((lines) => decodeHistory(lines.map(encodeLine).join(""))),
    );
    return false;
  } catch (error) {
    // A refusal, and not an accident.
    expect((error as Error).name).toBe("InputError");
    return true;
  }
};

const isIterated = (line: HistoryLine): line is IteratedLine => line.kind === "iterated";
const middle = (lines: readonly HistoryLine[], holds: (line: IteratedLine) => boolean = () => true) => {
  const found = [...lines.keys()].filter((at) => {
    const line = lines[at];
    return isIterated(line) && holds(line);
  });
  return found[found.length >> 1];
};
const lastRow = (lines: readonly HistoryLine[]) => lines.findLastIndex(({ kind }) => kind === "row");

type Change = (lines: readonly HistoryLine[]) => readonly HistoryLine[];
const withMiddle =
  (change: (line: IteratedLine) => object, holds?: (line: IteratedLine) => boolean): Change =>
  (lines) => {
    const at = middle(lines, holds);
    return lines.with(at, change(lines[at] as IteratedLine) as HistoryLine);
  };
const withLastRow =
  (change: (line: RowLine) => object): Change =>
  (lines) =>
    lines.with(lastRow(lines), change(lines[lastRow(lines)] as RowLine) as HistoryLine);

/** Changes of the file of a peer that came to the end. */
const changes: Readonly<Record<string, Change>> = {
  "a vector left out": withMiddle(
    (line) => ({ ...line, used: line.used.slice(1) }),
    ({ used }) => used.length > 0,
  ),
  "a vector used twice": withMiddle(
    (line) => ({ ...line, used: [...line.used, line.used[0]] }),
    ({ used }) => used.length > 0,
  ),
  "an older vector": withMiddle(
    (line) => ({ ...line, used: line.used.map(([from, round, hash]) => [from, round - 1, hash]) }),
    ({ used }) => used.length > 0,
  ),
  "other vectors of that round": withMiddle(
    (line) => ({ ...line, used: line.used.map(([from, round]) => [from, round, "0123456789abcdef"]) }),
    ({ used }) => used.length > 0,
  ),
  "a vector that nobody sent": withMiddle((line) => ({ ...line, used: [[2, 10 ** 6]] })),
  "another round": withMiddle(
    (line) => ({ ...line, round: (line.round ?? 0) + 1 }),
    ({ round }) => round !== undefined,
  ),
  "no exchange": withMiddle(
    ({ round: _, ...line }) => ({ ...line, used: [] }),
    ({ round }) => round !== undefined,
  ),
  "another hash of what was sent": withMiddle((line) => ({ ...line, hash: "0123456789abcdef" })),
  "a line left out": (lines) => lines.toSpliced(middle(lines), 1),
  "two iterations swapped": (lines) => {
    const at = middle(lines);
    const next = lines.findIndex((line, k) => k > at && isIterated(line));
    return lines.with(at, lines[next]).with(next, lines[at]);
  },
  "twenty lines lost": (lines) => lines.toSpliced(middle(lines), 20),
  "twenty lines lost at the beginning": (lines) => lines.toSpliced(lines.findIndex(isIterated), 20),
  "a program in the middle that began with other models": withMiddle((line) => ({
    ...line,
    begins: { iterations: 3, round: 3, hash: "0123456789abcdef" },
  })),
  "a changed end row": withLastRow((line) => ({ ...line, x: line.x.map((value) => value + 1e-9) })),
  "a shorter end row": withLastRow((line) => ({ ...line, x: line.x.slice(1) })),
  "a changed hash of the end row": withLastRow((line) => ({ ...line, hash: "0123456789abcdef" })),
  "no end row": (lines) => lines.toSpliced(lastRow(lines), 1),
  "a changed row at the beginning": (lines) => {
    const at = lines.findIndex(({ kind }) => kind === "row");
    return lines.with(at, { ...(lines[at] as RowLine), x: [1, 2, 3, 4] });
  },
};

const cases: Readonly<Record<string, Kill | undefined>> = {
  "all to the end": undefined,
  "one killed": { ranks: [3], returns: false },
  "one killed and started again": { ranks: [3], returns: true },
  "all killed and started again": { ranks: [0, 1, 2, 3], returns: true },
};

describe.each(["dsgd", "dmsgd", "push-sum"] as const)("%s", (algorithm) => {
  describe.each(Object.entries(cases))("%s", (_, kill) => {
    const run = runOf(algorithm, 4);
    let played: Awaited<ReturnType<typeof play>>;

    beforeAll(async () => {
      played = await play(run, kill);
    });

    it("comes out to the last bit", () => {
      const { x } = replayed(run, played.files);
      const d = x.length / n;
      for (let rank = 0; rank < n; rank++) {
        if (kill?.returns === false && kill.ranks.includes(rank)) continue;
        expect([...x.subarray(rank * d, (rank + 1) * d)], `peer ${rank}`).toEqual(played.rows[rank]);
      }
      const lives = played.files.map((lines) => lines.filter(({ kind }) => kind === "peer").length);
      expect(lives).toEqual(played.files.map((_, rank) => (kill?.returns && kill.ranks.includes(rank) ? 2 : 1)));
    });

    it.each(Object.entries(changes))("%s: refused", (_, change) => {
      expect(isRefused(run, played.files.with(1, change(played.files[1])))).toBe(true);
    });

    it.runIf(kill !== undefined)("changes in the file of a killed peer: refused", () => {
      const file = played.files[3];
      for (const what of [
        "another hash of what was sent",
        "twenty lines lost at the beginning",
        "two iterations swapped",
      ]) {
        const first = file.slice(0, 30);
        const changed = [...changes[what](first), ...file.slice(30)];
        expect(isRefused(run, played.files.with(3, changed)), what).toBe(true);
      }
    });
  });
});

describe("a long row", () => {
  it("is written as its hash, and held against it", async () => {
    const run = runOf("dsgd", 100);
    const { files } = await play(run);
    expect(replayed(run, files).x).toHaveLength(400);
    const [first] = files;
    expect(first[lastRow(first)]).toMatchObject({ x: [], hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(isRefused(run, files.with(0, changes["a changed hash of the end row"](first)))).toBe(true);
  });
});
