/** Free ports of this machine. */

import { randomInt } from "node:crypto";
import net from "node:net";
import { InputError } from "equitopo";
import { listening } from "./listen.ts";

/**
 * Ports of this machine that nobody listens at, below those that systems hand out for outgoing connections. Each is tried
 * by listening there for a moment, so another program may still be quicker to take it.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = randomInt(15_000, 25_000); ports.length < count && port < 32_000; port++) {
    const server = net.createServer();
    const free = await listening(server, { host: "127.0.0.1", port }).then(
      () => true,
      () => false,
    );
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    ports.push(port);
  }
  if (ports.length < count) throw new InputError(`${count} free ports are needed`, ports.length, "start fewer peers");
  return ports;
}
