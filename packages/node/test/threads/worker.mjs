// One peer of the threads tests: runs every spec and posts its rows.
import { parentPort, workerData } from "node:worker_threads";
import { runRank } from "../../../equitopo/test/peer/program.mjs";
import { ThreadTransport } from "../../dist/index.js";

const { rank, boards, specs } = workerData;
const rows = [];
for (let k = 0; k < specs.length; k++) {
  const transport = new ThreadTransport(boards[k], { rank });
  rows.push([...(await runRank(specs[k], transport))]);
  await transport.close();
}
parentPort.postMessage(rows);
