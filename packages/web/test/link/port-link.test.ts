import { expect, test } from "vitest";
import { backlogBytes } from "../../src/link/link.ts";
import { bridge, portLink } from "../../src/link/port-link.ts";
import { collect, settled, wire } from "./wire.ts";

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
  await settled();
  expect([here.messages, there.messages, link.backlog]).toEqual([[[1, 2]], [[3, 4]], 0]);
  backlog = backlogBytes;
  link.send(new Uint8Array(100));
  await settled();
  expect([there.messages[1].length, link.backlog]).toEqual([100, 100]);
  backlog = 0;
  drained();
  await settled();
  expect(link.backlog).toBe(0);
  far.close();
  await settled();
  expect(here.closed).toBe(true);
});

test("a port ends for both when either closes it", async () => {
  const { port1, port2 } = new MessageChannel();
  const [a, b] = [portLink(port1), portLink(port2)];
  const [here, there] = [collect(a), collect(b)];
  a.close();
  await settled();
  b.send(Uint8Array.of(1));
  expect([here.closed, there.closed, b.backlog]).toEqual([true, true, 0]);
});
