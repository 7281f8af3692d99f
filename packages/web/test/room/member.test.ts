/** A member towards a server that does not keep to the order of things. */

import { expect, test } from "vitest";
import { toBase64url } from "../../../equitopo/src/number/base64.ts";
import type { SignalSocket } from "../../src/room/line.ts";
import { Member } from "../../src/room/member.ts";
import { ServerGone } from "../../src/room/refused.ts";

const occupant = { rank: 1, epoch: 1, runtime: "node", rtc: false, seal: true, listening: {} };

test.each([
  ["somebody is here", { kind: "here", occupant }],
  ["somebody is gone", { kind: "gone", rank: 1, epoch: 1 }],
  ["a text", { kind: "signal", from: 1, epoch: 1, text: "{}" }],
  ["the start", { kind: "start" }],
])("%s before there is a seat: nothing comes of it", async (_, message) => {
  const socket: SignalSocket = {
    ...{ binaryType: "", readyState: 1, bufferedAmount: 0, onopen: null, onmessage: null, onclose: null },
    ...{ onerror: null, send: () => {}, close: () => {} },
  };
  const invite = { origin: "http://127.0.0.1:1", room: toBase64url(new Uint8Array(16)), key: new Uint8Array(32) };
  const joining = Member.join({ invite, runtime: "node", socket: () => socket });
  await Promise.resolve();
  socket.onopen?.({} as never);
  expect(() => socket.onmessage?.({ data: JSON.stringify(message) } as never)).not.toThrow();
  socket.onclose?.({} as never);
  await expect(joining).rejects.toThrow(ServerGone);
});
