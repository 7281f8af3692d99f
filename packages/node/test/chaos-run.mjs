// Seventeen processes over TCP train while one is killed for good, one is killed and started again from its checkpoint,
// one is stopped for a while, and messages are lost.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTopology, kernelMixer, simulate } from "../../equitopo/dist/index.js";
import { chaosRun, softmaxProblem } from "./chaos-problem.mjs";

const program = fileURLToPath(new URL("./chaos-peer.mjs", import.meta.url));
const [killed, restarted, stopped] = [5, 9, 12];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function chaos({ rounds, timeout, stop, drop, limit }) {
  const run = chaosRun(rounds);
  const { n } = run.topology;
  const folder = mkdtempSync(join(tmpdir(), "equitopo-chaos-"));
  const ports = await freePorts(n);
  const reached = new Array(n).fill(-1);
  const ends = new Map();
  const running = new Map();
  const start = (rank) => {
    const checkpoint = join(folder, `peer-${rank}`);
    const child = spawn(
      process.execPath,
      [program, JSON.stringify({ rank, ports, rounds, timeout, drop, checkpoint })],
      {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    child.on("message", (message) => {
      if (message.row === undefined) reached[rank] = message.round;
      else ends.set(rank, message);
    });
    const exit = new Promise((resolve) => child.once("exit", resolve));
    running.set(rank, child);
    void exit.then(() => running.get(rank) === child && running.delete(rank));
    return { child, exit };
  };
  const begun = performance.now();
  const late = () => performance.now() - begun > limit;
  const when = async (rank, round) => {
    while (reached[rank] < round && running.has(rank) && !late()) await pause(10);
  };
  const peers = Array.from({ length: n }, (_, rank) => start(rank));
  const faults = [
    when(killed, rounds * 0.1).then(() => peers[killed].child.kill("SIGKILL")),
    when(restarted, rounds * 0.15).then(async () => {
      peers[restarted].child.kill("SIGKILL");
      await peers[restarted].exit;
      await pause(500);
      peers[restarted] = start(restarted);
    }),
    when(stopped, rounds * 0.2).then(async () => {
      peers[stopped].child.kill("SIGSTOP");
      await pause(stop);
      peers[stopped].child.kill("SIGCONT");
    }),
  ];
  await Promise.all(faults);
  while (running.size > 0 && !late()) await pause(50);
  const hanging = [...running.keys()];
  for (const child of running.values()) child.kill("SIGKILL");
  await Promise.all(peers.map(({ exit }) => exit));
  rmSync(folder, { recursive: true, force: true });
  const seconds = (performance.now() - begun) / 1000;

  const problem = softmaxProblem(n);
  const { x } = simulate({
    ...{
      topology: createTopology(run.topology),
      problem,
      algorithm: run.algorithm,
      rounds,
      seed: run.seed,
      every: rounds,
    },
    mixer: kernelMixer(n, "float32"),
  });
  const rows = Array.from({ length: n }, (_, i) => x.subarray(i * problem.d, (i + 1) * problem.d));
  const models = [...ends.values()].map(
    ({ row }) => new Float32Array(new Uint8Array(Buffer.from(row, "base64")).buffer),
  );
  const sum = (name) => [...ends.values()].reduce((total, { counts }) => total + counts[name], 0);
  return {
    undisturbed: problem.accuracy(meanOf(rows)),
    disturbed: problem.accuracy(meanOf(models)),
    worst: Math.min(...models.map((row) => problem.accuracy(row))),
    hanging,
    ended: [...ends.keys()].sort((a, b) => a - b),
    rejoined: ends.get(restarted)?.summary.rejoined,
    skipped: ends.get(stopped)?.summary.skipped ?? -1,
    missed: sum("missed"),
    voided: sum("voided"),
    seconds,
  };
}

function meanOf(rows) {
  const mean = new Float32Array(rows[0].length);
  for (let k = 0; k < mean.length; k++) mean[k] = rows.reduce((sum, row) => sum + row[k], 0) / rows.length;
  return mean;
}

async function freePorts(count) {
  const ports = [];
  for (let port = 15_000 + (process.pid % 8000); ports.length < count; port++) {
    const server = net.createServer();
    const free = await new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ host: "127.0.0.1", port }, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    ports.push(port);
  }
  return ports;
}
