/** A Node peer of bench/browser: listens for the tabs' links and for their bare sockets, and does blocks of rounds. */

import type { AddressInfo } from "node:net";
import { LinkServer } from "@equitopo/node";
import { LinkTransport, specHash } from "@equitopo/web/internal";
import { WebSocketServer } from "ws";
import { Bare, type Block, Loops, n, vectorBytes } from "./loops.ts";

const [rank, tabs, keyText] = process.argv.slice(2);
const own = Number(rank);
const key = Uint8Array.from(Buffer.from(keyText, "hex"));
const transport = new LinkTransport({ rank: own, size: n, spec: "bench", maxBytes: vectorBytes });
const bare = new Map<number, Bare>();
let missing = 2 * Number(tabs);

const arrived = (): void => {
  if (--missing === 0) process.send?.("ready");
};

const server = await LinkServer.listen({
  ...{ listen: { host: "127.0.0.1", port: 0 }, rank: own, size: n, spec: specHash("bench"), key },
  onLink: (peer, link) => {
    transport.attach(peer, link);
    arrived();
  },
});
const sockets = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
sockets.on("connection", (socket, request) => {
  const peer = Number(new URL(request.url ?? "", "ws://localhost").searchParams.get("rank"));
  const way = new Bare((bytes) => socket.send(bytes));
  bare.set(peer, way);
  socket.on("message", (data: Buffer) => way.arrive(data));
  arrived();
});
sockets.once("listening", () => {
  const port = (sockets.address() as AddressInfo).port;
  process.send?.({ ours: `ws://127.0.0.1:${server.port}`, bare: `ws://127.0.0.1:${port}` });
});

let loops: Loops | undefined;
process.on("message", async (block: Block) => {
  loops ??= new Loops(own, transport, bare);
  process.send?.(await loops.run(block));
});
process.on("disconnect", () => process.exit());
