/** Ports of this machine that nobody listens at, below those that systems hand out for outgoing connections. */

import net from "node:net";

export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = 15_000 + (process.pid % 5000); ports.length < count && port < 32_000; port++) {
    const server = net.createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ host: "127.0.0.1", port }, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    ports.push(port);
  }
  return ports;
}
