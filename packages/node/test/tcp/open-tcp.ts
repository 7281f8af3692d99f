/** Peers of one program that talk over TCP on loopback, at ports of the system's choice. */

import { TcpTransport } from "../../src/tcp/tcp.ts";

export async function openTcp(size: number): Promise<TcpTransport[]> {
  const listen = { host: "127.0.0.1", port: 0 };
  const addresses = Array.from({ length: size }, () => listen);
  const peers: TcpTransport[] = [];
  for (let rank = 0; rank < size; rank++) {
    peers.push(await TcpTransport.listen({ rank, size, addresses, listen, spec: "a spec" }));
    addresses[rank] = { ...listen, port: peers[rank].port };
  }
  return peers;
}
