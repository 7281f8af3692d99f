// Seventeen processes over TCP train a network, each on a file that only it has, while one is killed for good, one is killed
// and started again from its checkpoint, one is stopped for a while, and messages are lost.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
import { createProblem, expandSpec, problems, runSpec } from "equitopo";
import { folderFiles, freePorts } from "../../dist/index.js";

const program = fileURLToPath(new URL("./chaos-peer.mjs", import.meta.url));
const n = 17;
const [killed, restarted, stopped] = [5, 9, 12];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function chaos({ train, test, model, normalisation, learningRate, batch, rounds, ...options }) {
  const { timeout, stop, drop, limit } = options;
  if (!problems.has("classification")) problems.add(classificationFamily);
  const root = mkdtempSync(join(tmpdir(), "equitopo-chaos-"));
  const folders = dealOut(root, train, test);
  const context = { files: inAll(folders) };
  const document = {
    topologies: [{ name: "ou-equidyn", n, seed: 3 }],
    algorithms: [{ name: "dsgd", learningRate }],
    problem: {
      ...{ name: "classification", model, batch, normalisation },
      data: {
        ...{
          name: "own",
          file: "node-%r.npy",
          labels: "node-%r-labels.npy",
          test: "test.npy",
          testLabels: "test-labels.npy",
        },
        ...{ classes: 10, shape: [28, 28, 1], stepsPerEpoch: Math.ceil(train.count / n / batch) },
      },
    },
    ...{ rounds, every: rounds, evaluate: "at the end", seeds: [1], type: "float32" },
  };
  const [run] = expandSpec(document, context);
  const ports = await freePorts(n);
  const reached = new Array(n).fill(-1);
  const ends = new Map();
  const running = new Map();
  const start = (rank) => {
    const job = { rank, ports, run: { ...run, faults: { drop } }, timeout, folder: folders[rank] };
    const child = spawn(process.execPath, [program, JSON.stringify(job)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (message) => {
      if (message.summary === undefined) reached[rank] = message.round;
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
  const seconds = (performance.now() - begun) / 1000;

  // The same run without any fault, by the simulator, which has all files.
  const { evaluations } = runSpec(run, { context });
  const { evaluation } = createProblem(run.problem, { ...context, first: 0, count: 1 });
  rmSync(root, { recursive: true, force: true });
  const found = evaluation.summarise([...ends.values()].flatMap(({ tally }) => (tally === undefined ? [] : [tally])));
  const sum = (name) => [...ends.values()].reduce((total, { counts }) => total + counts[name], 0);
  return {
    undisturbed: evaluations.metrics.averagedAccuracy.at(-1),
    disturbed: found.averagedAccuracy,
    worst: found.worstAccuracy,
    hanging,
    ended: [...ends.keys()].sort((a, b) => a - b),
    rejoined: ends.get(restarted)?.summary.rejoined,
    skipped: ends.get(stopped)?.summary.skipped ?? -1,
    missed: sum("missed"),
    voided: sum("voided"),
    seconds,
  };
}

/** A folder for each peer, with its own images and the test set. */
function dealOut(root, train, test) {
  const size = train.images.length / train.count;
  return Array.from({ length: n }, (_, rank) => {
    const folder = join(root, `peer-${rank}`);
    mkdirSync(folder);
    const mine = Array.from({ length: train.count }, (_, k) => k).filter((k) => k % n === rank);
    const images = new Uint8Array(mine.length * size);
    for (const [at, k] of mine.entries()) images.set(train.images.subarray(k * size, (k + 1) * size), at * size);
    writeNpy(join(folder, `node-${rank}.npy`), [mine.length, 28, 28, 1], images);
    writeNpy(
      join(folder, `node-${rank}-labels.npy`),
      [mine.length],
      Uint8Array.from(mine, (k) => train.labels[k]),
    );
    writeNpy(join(folder, "test.npy"), [test.count, 28, 28, 1], test.images);
    writeNpy(join(folder, "test-labels.npy"), [test.count], Uint8Array.from(test.labels));
    return folder;
  });
}

/** NumPy's format, bytes. */
function writeNpy(path, shape, bytes) {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11);
  const length = Buffer.from(Uint16Array.of(padded.length + 1).buffer);
  writeFileSync(
    path,
    Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), length, Buffer.from(`${padded}\n`), bytes]),
  );
}

/** All folders as one. */
function inAll(folders) {
  const all = folders.map((folder) => folderFiles(folder));
  const holder = (name) => all.find((files) => files.has(name));
  return { has: (name) => holder(name) !== undefined, read: (name) => (holder(name) ?? all[0]).read(name) };
}
