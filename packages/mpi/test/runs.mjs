// One rank of the runs of specs over MPI; each tells its last rows over a socket.
import { once } from "node:events";
import net from "node:net";
import { runSpecPeer } from "../../equitopo/dist/peer/index.js";
import { MpiTransport } from "../dist/index.js";

const transport = await MpiTransport.start();
const rows = [];
await runSpecPeer({
  ...{ transport, runs: JSON.parse(process.env["EQUITOPO_TEST_PLAN"]), timeout: 60_000 },
  onRecord: ({ run, x }) => {
    rows[run] = [...x];
  },
});
const { rank, counts } = transport;
const refused = counts.refused.get("defence") ?? 0;
const socket = net.connect(Number(process.env["EQUITOPO_TEST_PORT"]), "127.0.0.1");
socket.end(`${JSON.stringify({ rank, rows, refused })}\n`);
await once(socket, "close");
await transport.close();
await transport.finished;
