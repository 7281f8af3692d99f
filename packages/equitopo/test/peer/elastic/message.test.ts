/** Messages about membership come through bytes as they are, and nothing else is taken for one. */

import { expect, it } from "vitest";
import { decodeMessage, encodeMessage, type Message, messageBytes } from "../../../src/peer/elastic/message.ts";

const value = { number: 2, first: 40, members: [0, 3].map((seat) => ({ seat, incarnation: 2 ** 50, since: 1 })) };
const vote = { incarnation: 2 ** 50, epoch: 1, ballot: 7 };
const messages: Message[] = [
  { say: "beat", incarnation: 1, stage: "member", epoch: 0, updates: 5, missed: [3], known: [1, 0, 2] },
  { say: "prepare", ...vote },
  { say: "promise", ...vote, updates: 9, accepted: null },
  { say: "promise", ...vote, updates: 9, accepted: { ballot: 3, value } },
  { say: "refused", ...vote, promised: 8 },
  { say: "accept", ...vote, value },
  { say: "accepted", ...vote },
  { say: "decided", incarnation: 1, value },
  { say: "want", incarnation: 1, epoch: 2 },
];

it("is read as it was written, within the bytes that a lane must take", () => {
  for (const message of messages) expect(decodeMessage(encodeMessage(message))).toEqual(message);
  const members = Array.from({ length: 64 }, (_, seat) => ({ seat, incarnation: 2 ** 52, since: 1000 }));
  const large = {
    ...vote,
    say: "promise",
    updates: 2 ** 40,
    accepted: { ballot: 2 ** 40, value: { ...value, members } },
  };
  expect(encodeMessage(large as Message).length).toBeLessThan(messageBytes(64));
});

it("refuses what is none: a byte missing or changed, another type, members out of order", () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  for (const message of messages) {
    const bytes = encodeMessage(message);
    for (let cut = 0; cut < bytes.length; cut++) expect(decodeMessage(bytes.subarray(0, cut))).toBeUndefined();
    for (const name of Object.keys(message)) {
      const { [name]: _, ...rest } = message as unknown as Record<string, unknown>;
      expect(
        decodeMessage(new TextEncoder().encode(JSON.stringify(rest))),
        `${text(bytes)} without ${name}`,
      ).toBeUndefined();
    }
  }
  const refused = [
    { say: "decided", incarnation: 1, value: { ...value, members: [] } },
    { say: "decided", incarnation: 1, value: { ...value, number: 0 } },
    { say: "decided", incarnation: 1, value: { ...value, members: [value.members[1], value.members[0]] } },
    { say: "decided", incarnation: 1, value: { ...value, members: [{ seat: 0, incarnation: 0, since: 0 }] } },
    { say: "want", incarnation: -1, epoch: 2 },
    { say: "want", incarnation: 1, epoch: 0.5 },
    { say: "nothing", incarnation: 1 },
    null,
  ];
  for (const one of refused) expect(decodeMessage(new TextEncoder().encode(JSON.stringify(one)))).toBeUndefined();
  expect(decodeMessage(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
});
