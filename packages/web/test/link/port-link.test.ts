import { expect, test, vi } from "vitest";
import { backlogBytes } from "../../src/link/link.ts";
import { bridge, portLink } from "../../src/link/port-link.ts";
import { collect, wire } from "./wire.ts";

test("a bridge brings messages, the end and the backlog of the link behind it", async () => {
  const [near, far] = wire(undefined, "rtc");
  let backlog = 0;
  let drained = () => {};
  const { port1, port2 } = new MessageChannel();
  bridge(
    {
      ...near,
      get backlog() {
        return backlog;
      },
      listen: (listener) => {
        drained = () => listener?.drained();
        near.listen(listener);
      },
    },
    port1,
  );
  const link = portLink(port2, near.kind);
  expect(link.kind).toBe("rtc");
  const [here, there] = [collect(link), collect(far)];
  far.send(Uint8Array.of(1, 2));
  link.send(Uint8Array.of(9, 3, 4).subarray(1));
  await vi.waitFor(() => expect([here.messages, there.messages, link.backlog]).toEqual([[[1, 2]], [[3, 4]], 0]));
  backlog = backlogBytes;
  link.send(new Uint8Array(100));
  await vi.waitFor(() => expect(there.messages[1]?.length).toBe(100));
  expect(link.backlog).toBe(100);
  backlog = 0;
  drained();
  await vi.waitFor(() => expect(link.backlog).toBe(0));
  far.close();
  await vi.waitFor(() => expect(here.closed).toBe(true));
});

test("a port ends for both when either closes it", async () => {
  const { port1, port2 } = new MessageChannel();
  const [a, b] = [portLink(port1), portLink(port2)];
  const [here, there] = [collect(a), collect(b)];
  a.close();
  await vi.waitFor(() => expect([here.closed, there.closed]).toEqual([true, true]));
  b.send(Uint8Array.of(1));
  expect(b.backlog).toBe(0);
});
