/** A member towards a server that does not keep to the order of things. */

import { expect, test } from "vitest";
import { toBase64url } from "../../../equitopo/src/number/base64.ts";
import { expandSpec } from "../../../equitopo/src/run/spec.ts";
import type { SignalSocket } from "../../src/room/line.ts";
import { Member } from "../../src/room/member.ts";
import { ServerGone } from "../../src/room/protocol.ts";
import { encodeRuns } from "../../src/room/runs-document.ts";

const occupant = { rank: 1, epoch: 1, runtime: "node", rtc: false, seal: true, listening: {} };

const invite = { origin: "http://127.0.0.1:1", room: toBase64url(new Uint8Array(16)), key: new Uint8Array(32) };
const fakeSocket = (said: string[] = []): SignalSocket => ({
  ...{ binaryType: "", readyState: 1, bufferedAmount: 0, onopen: null, onmessage: null, onclose: null },
  ...{ onerror: null, send: (text) => said.push(String(text)), close: () => {} },
});

test.each([
  ["somebody is here", { kind: "here", occupant }],
  ["somebody is gone", { kind: "gone", rank: 1, epoch: 1 }],
  ["a text", { kind: "signal", from: 1, epoch: 1, text: "{}" }],
  ["the start", { kind: "start" }],
])("%s before there is a seat: nothing comes of it", async (_, message) => {
  const socket = fakeSocket();
  const joining = Member.join({ invite, runtime: "node", socket: () => socket });
  await Promise.resolve();
  socket.onopen?.({} as never);
  expect(() => socket.onmessage?.({ data: JSON.stringify(message) } as never)).not.toThrow();
  socket.onclose?.({} as never);
  await expect(joining).rejects.toThrow(ServerGone);
});

test("a link that is lost before the start is told: the server does not count this member as ready", async () => {
  const said: string[] = [];
  const socket = fakeSocket(said);
  const runs = expandSpec({
    ...{ topologies: [{ name: "ring", n: 2 }], algorithms: [{ name: "dsgd" }], rounds: 1, seeds: [1] },
    problem: { name: "least-squares", K: 2 },
  });
  const joining = Member.join({ invite, runtime: "node", socket: () => socket });
  await Promise.resolve();
  socket.onopen?.({} as never);
  const seat = {
    kind: "seat",
    rank: 0,
    epoch: 1,
    secret: "s",
    size: 2,
    timeout: 100,
    started: false,
    here: [occupant],
  };
  socket.onmessage?.({ data: JSON.stringify({ ...seat, runs: encodeRuns(runs) }) } as never);
  const member = await joining;
  void member.connect({ attach: () => {}, detach: () => {}, tell: () => false });
  const { onLinked, onUnlinked } = member.lane;
  onLinked?.(1, "websocket");
  onUnlinked?.(1, "lost");
  onLinked?.(1, "websocket");
  const kinds = said.map((text) => (JSON.parse(text) as { kind: string }).kind);
  expect(kinds.filter((kind) => kind === "ready" || kind === "waiting")).toEqual([
    "waiting",
    "ready",
    "waiting",
    "ready",
  ]);
  member.close();
});
