/** A peer that was dialled before it listened is not taken for absent in the first rounds. */

import { once } from "node:events";
import net from "node:net";
import { expect, it } from "vitest";
import { TcpTransport } from "../../src/tcp/tcp.ts";

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

it("is met in the first round after the meeting", async () => {
  const addresses = await Promise.all([0, 1, 2].map(async () => ({ host: "127.0.0.1", port: await freePort() })));
  const open = (rank: number) => TcpTransport.listen({ rank, size: 3, addresses, spec: "a spec", timeout: 5000 });
  const [a, c] = [await open(0), await open(2)];
  // Refused five times or so: the next try is most of a second away.
  a.prepare([1]);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const b = await open(1);
  const hears = async (from: TcpTransport, to: TcpTransport, round: number) => {
    const [, { arrived, release }] = await Promise.all([
      from.exchange({ round, send: [{ peer: to.rank, data: Float64Array.of(round) }], receive: [] }),
      to.exchange({ round, send: [], receive: [{ peer: from.rank, length: 1, type: "float64" }] }),
    ]);
    const value = arrived[0]?.[0];
    release();
    return value;
  };
  // A meeting of three has two steps.
  for (const round of [0, 1]) expect(await hears(c, a, round)).toBe(round);
  expect(await hears(b, a, 2)).toBe(2);
  await Promise.all([a, b, c].map((peer) => peer.close()));
});
