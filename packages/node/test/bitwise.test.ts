/** Peers over TCP give the simulator's numbers to the last bit. */

import { bitwise } from "../../equitopo/test/peer/bitwise.ts";
import { TcpTransport } from "../src/peer/tcp.ts";

bitwise("tcp", async (size) => {
  const listen = { host: "127.0.0.1", port: 0 };
  const addresses = Array.from({ length: size }, () => listen);
  const peers: TcpTransport[] = [];
  for (let rank = 0; rank < size; rank++) {
    peers.push(await TcpTransport.listen({ rank, size, addresses, listen, spec: "bitwise" }));
    addresses[rank] = { ...listen, port: peers[rank].port };
  }
  return peers;
});
