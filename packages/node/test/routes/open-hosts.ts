/** Peers of one program as if on two machines: each half shares a board, and the halves talk over TCP on loopback. */

import { HostTransport } from "../../src/routes/host.ts";
import { createBoard } from "../../src/threads/board.ts";

export async function openHosts(size: number, timeout?: number): Promise<HostTransport[]> {
  const listen = { host: "127.0.0.1", port: 0 };
  const addresses = Array.from({ length: size }, () => listen);
  const all = Array.from({ length: size }, (_, rank) => rank);
  const half = Math.ceil(size / 2);
  const hosts = [all.slice(0, half), all.slice(half)].map((ranks) => {
    return { ranks, board: createBoard({ size: Math.max(1, ranks.length), bytes: 8_000_024, vectors: 2 }) };
  });
  const peers: HostTransport[] = [];
  for (const rank of all) {
    const host = hosts[rank < half ? 0 : 1];
    const waits = timeout === undefined ? {} : { timeout };
    peers.push(await HostTransport.listen({ rank, size, addresses, listen, spec: "a spec", ...host, ...waits }));
    addresses[rank] = { ...listen, port: peers[rank].port };
  }
  // Who only sends does not dial: those that will be sent to do, beforehand.
  for (const peer of peers) peer.prepare(all.filter((rank) => rank !== peer.rank));
  return peers;
}
