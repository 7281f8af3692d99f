import { expect, test } from "vitest";
import { Inbox } from "../../src/link/inbox.ts";

const listener = (seen: string[], stop?: () => void) => ({
  message: (bytes: Uint8Array) => {
    seen.push(String(bytes[0]));
    stop?.();
  },
  drained: () => seen.push("drained"),
  closed: () => seen.push("closed"),
});

test("messages wait for whoever listens next, and the end comes after them", () => {
  const inbox = new Inbox();
  const [first, second]: string[][] = [[], []];
  inbox.message(Uint8Array.of(1));
  inbox.message(Uint8Array.of(2));
  inbox.listen(listener(first, () => inbox.listen(undefined)));
  inbox.message(Uint8Array.of(3));
  inbox.closed();
  inbox.message(Uint8Array.of(4));
  inbox.drained();
  inbox.listen(listener(second));
  inbox.closed();
  expect([first, second]).toEqual([["1"], ["2", "3", "closed"]]);
});

test("takes only so much that nobody listens to", () => {
  const inbox = new Inbox();
  expect(inbox.message(new Uint8Array(2 ** 21))).toBe(true);
  expect(inbox.message(new Uint8Array(1))).toBe(false);
});
