/** An address that cannot be listened at is an error about input: the rule, the address and the remedy. */

import net, { type AddressInfo } from "node:net";
import { InputError } from "equitopo";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LinkServer } from "../../src/server/link-server.ts";
import { TcpTransport } from "../../src/tcp/tcp.ts";

const taken = net.createServer();
const busy = () => ({ host: "127.0.0.1", port: (taken.address() as AddressInfo).port });
beforeAll(() => new Promise<void>((resolve) => taken.listen({ host: "127.0.0.1", port: 0 }, resolve)));
afterAll(() => new Promise((resolve) => taken.close(resolve)));

const open = (listen: net.ListenOptions & { host: string; port: number }) =>
  TcpTransport.listen({ rank: 0, size: 2, addresses: [listen, listen], spec: "a", log: () => {}, insecure: true });

it("a busy port, of peers and of links", async () => {
  const { port } = busy();
  const words = `at its address (another program listens there), got "127.0.0.1:${port}"; free the port, or listen at another`;
  const links = () =>
    LinkServer.listen({ listen: busy(), rank: 0, size: 2 } as Parameters<typeof LinkServer.listen>[0]);
  for (const failed of [open(busy()), links()]) {
    const error: unknown = await failed.catch((reason) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(words);
  }
});

it("an address that this machine does not have", async () => {
  // 192.0.2.0/24 is kept for examples.
  await expect(open({ host: "192.0.2.1", port: 4000 })).rejects.toThrow(
    /does not have that address.*192\.0\.2\.1:4000/,
  );
});
