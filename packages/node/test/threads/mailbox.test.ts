/** Letters on a board: in order, within bounds, whoever is ended in the middle; and memory that grows with n alone. */

import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { announceGone, type Board, cells, controlOf, createBoard } from "../../src/threads/board.ts";
import { mailboxesOf, type Note } from "../../src/threads/mailbox.ts";

const note = (round: number): Note => ({
  ...{ round, kind: "vector", sequence: round % 3, slot: 1, generation: 7, length: 5, type: "float64" },
});

/** The mailboxes of all peers of a board, in one thread. */
function boxesOn(board: Board) {
  const control = controlOf(board);
  const isGone = (peer: number) => Atomics.load(control.all, control.gone(peer)) === 1;
  return Array.from({ length: board.size }, (_, rank) => mailboxesOf(control, rank, isGone));
}

function received(box: ReturnType<typeof mailboxesOf>): [peer: number, round: number][] {
  const all: [number, number][] = [];
  box.receive((peer, { round }) => all.push([peer, round]));
  return all;
}

describe("mailboxes", () => {
  it("bring letters as they were written, in the order of their writing", () => {
    const [a, b, c] = boxesOn(createBoard({ size: 3, bytes: 64 }));
    expect(c.receive(() => {})).toBe(false);
    a.put(2, note(4));
    b.put(2, note(9));
    a.put(2, note(5));
    expect([...c.senders()]).toEqual([0, 1, 0]);
    const came: [number, Note][] = [];
    expect(c.receive((peer, letter) => came.push([peer, letter]))).toBe(true);
    expect(came).toEqual([
      [0, note(4)],
      [1, note(9)],
      [0, note(5)],
    ]);
    expect([...c.senders()]).toEqual([]);
  });

  it("take 16 letters for a peer that does not read, and more once it has read", () => {
    const [a, b] = boxesOn(createBoard({ size: 2, bytes: 64 }));
    const numbers = Array.from({ length: 17 }, (_, round) => a.put(1, note(round)));
    expect(numbers.map((number) => number > 0)).toEqual([...new Array(16).fill(true), false]);
    expect([a.unread(1), a.isRead(numbers[0])]).toEqual([16, false]);
    expect(received(b)).toHaveLength(16);
    expect([a.unread(1), a.isRead(numbers[0])]).toEqual([0, true]);
    // A cell is used again and again; the letters that it had before stay read.
    for (let round = 0; round < 3 * cells; round++) {
      expect(a.put(1, note(round))).toBeGreaterThan(0);
      expect(received(b)).toEqual([[0, round]]);
    }
    expect(numbers.slice(0, 16).every((number) => a.isRead(number))).toBe(true);
  });

  it("lose nothing where a reader is ended while it reads: its successor reads it again", () => {
    const board = createBoard({ size: 2, bytes: 64 });
    const [a, b] = boxesOn(board);
    for (const round of [1, 2]) a.put(1, note(round));
    expect(() =>
      b.receive((_, { round }) => {
        if (round === 2) throw new Error("ended");
      }),
    ).toThrow("ended");
    a.put(1, note(3));
    const [, successor] = boxesOn(board);
    expect(received(successor).map(([, round]) => round)).toEqual([1, 2]);
    expect(received(successor)).toEqual([[0, 3]]);
    expect(a.unread(1)).toBe(0);
  });

  it("take letters back from those who are gone before cells run out", () => {
    const size = cells / 16 + 2;
    const board = createBoard({ size, bytes: 64 });
    const boxes = boxesOn(board);
    const [a] = boxes;
    for (let peer = 1; peer <= cells / 16; peer++) for (let k = 0; k < 16; k++) a.put(peer, note(k));
    expect(a.put(size - 1, note(1))).toBe(0);
    announceGone(board, 3);
    expect(a.put(size - 1, note(2))).toBeGreaterThan(0);
    expect(received(boxes[size - 1])).toEqual([[0, 2]]);
    expect(received(boxes[3])).toEqual([]);
    expect(received(boxes[2])).toHaveLength(16);
  });

  it("keep the order of every writer while threads write at the same time", async () => {
    const board = createBoard({ size: 4, bytes: 64 });
    const [reader] = boxesOn(board);
    const letters = 5000;
    const program = `
      import { workerData } from "node:worker_threads";
      const { board, rank, modules, letters } = workerData;
      const { controlOf } = await import(modules + "board.js");
      const { mailboxesOf } = await import(modules + "mailbox.js");
      const box = mailboxesOf(controlOf(board), rank, () => false);
      const note = { kind: "yes", sequence: 0, slot: -1, generation: 0, length: 0, type: "uint8" };
      for (let round = 0; round < letters; ) if (box.put(0, { ...note, round }) > 0) round++;
    `;
    const modules = new URL("../../dist/threads/", import.meta.url).href;
    const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const workers = [1, 2, 3].map((rank) => new Worker(url, { workerData: { board, rank, modules, letters } }));
    const next = [0, 0, 0, 0];
    let wrong = 0;
    while (next[1] + next[2] + next[3] < 3 * letters) {
      reader.receive((peer, { round }) => {
        if (round !== next[peer]++) wrong++;
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(wrong).toBe(0);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});

describe("a board", () => {
  it("has as many words for each peer, however many there are", () => {
    const words = (size: number) => createBoard({ size, bytes: 64, vectors: 1 }).control.byteLength / 4 / size;
    expect(words(1024)).toBe(words(2));
    expect(words(2)).toBeLessThan(2400);
  });
});
