/** The line to the room's server, where that is none: it takes sockets and says nothing, or drops them at once. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lineTo, type SignalSocket } from "../../src/room/line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line whose sockets open at once, and then do as told. */
function serverThat(then: (socket: SignalSocket) => void) {
  const lost: number[] = [];
  const line = lineTo({
    open: () => {
      const socket: SignalSocket = {
        ...{ binaryType: "", readyState: 1, bufferedAmount: 0, onopen: null, onmessage: null, onclose: null },
        ...{ onerror: null, send: () => {}, close: () => {} },
      };
      queueMicrotask(() => {
        socket.onopen?.({} as never);
        then(socket);
      });
      return socket;
    },
    join: () => ({ kind: "ready" }),
    onMessage: () => {},
    onLost: (failures) => void lost.push(failures),
  });
  return { line, lost };
}

test("a server that never answers is given up", async () => {
  const { line, lost } = serverThat(() => {});
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lost).toEqual([1]);
  line.close();
});

test("a socket that is dropped without an answer is a failure like any, and dialled less and less often", async () => {
  const { line, lost } = serverThat((socket) => socket.onclose?.({} as never));
  await vi.advanceTimersByTimeAsync(3500);
  // After 0, 100, 400, 1100 and 3100 ms.
  expect(lost).toEqual([1, 2, 3, 4, 5]);
  line.close();
});

test("a server that has answered is there: its line is kept, and a later loss is the first", async () => {
  const sockets: SignalSocket[] = [];
  const { line, lost } = serverThat((socket) => {
    sockets.push(socket);
    socket.onmessage?.({ data: JSON.stringify({ kind: "start" }) } as never);
  });
  for (let k = 0; k < 2; k++) {
    await vi.advanceTimersByTimeAsync(60_000);
    sockets[k].onclose?.({} as never);
  }
  expect(lost).toEqual([1, 1]);
  line.close();
});
