/** `equitopo train` and the experiment that trains: what they print, keep and refuse, on images drawn here. */

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSafetensors, syntheticImages } from "@equitopo/nn";
import { decodeCheckpoint } from "equitopo/run";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { withData } from "../../../src/command/reproduce.ts";
import { bin, equitopo, parsed, scratch, spawned } from "../../command.ts";
import { parseXml } from "../../xml.ts";

const folder = scratch();
const place = (name: string) => join(folder, name);
const small = "train synthetic --nodes 4 --images 1200 --tests 200 --seed 2";

/** The built command, whose threads are there. */
const json = (words: string) => parsed(spawned(`${words} --json`));

/** The one checkpoint of a run's folder. */
function checkpointOf(name: string): string {
  const [file, ...others] = readdirSync(place(`${name}/checkpoints`));
  expect(others).toEqual([]);
  return place(`${name}/checkpoints/${file}`);
}

const readCheckpoint = (name: string) => decodeCheckpoint(readFileSync(checkpointOf(name)));

/** What does not depend on the clock or the folder. */
function timeless(result: { history: object[]; [name: string]: unknown }) {
  const { seconds, out, history, ...rest } = result;
  return { ...rest, history: history.map((epoch) => ({ ...epoch, seconds: 0 })) };
}

describe("a run", () => {
  it("prints one object, learns, and is the same on any number of threads", async () => {
    const one = json(`${small} --epochs 3 --workers 1 --out ${place("one")}`);
    for (const key of ["averagedAccuracy", "meanAccuracy", "worstAccuracy"]) {
      expect(one[key]).toBeGreaterThan(0);
      expect(one[key]).toBeLessThanOrEqual(1);
    }
    expect(one.version).toBe(2);
    expect(one.averagedAccuracy).toBeGreaterThan(0.8);
    expect(one.trainLoss).toBeLessThan(1);
    expect(one.consensusDistance).toBeGreaterThan(0);
    // One peer a round: 3 epochs of 19 steps, one vector of 101,770 numbers each.
    expect(one.bytesPerNode).toBe(3 * 19 * 4 * 101_770);
    expect(one.seconds).toBeGreaterThan(0);
    expect(one.stateHash).toMatch(/^[0-9a-f]{64}$/);
    const three = json(`${small} --epochs 3 --workers 3 --out ${place("three")}`);
    expect(timeless(three)).toEqual(timeless(one));
    expect(JSON.parse(readFileSync(place("one/result.json"), "utf8"))).toEqual(one);
  });

  it("diverged where the loss only grows, though it stays a number", () => {
    const words = "train synthetic --nodes 4 --epochs 2 --images 400 --tests 100 --model softmax-regression";
    const { status, stdout, stderr } = spawned(
      `${words} --algorithm dsgd --learning-rate 2.5 --weight-decay 1 --out ${place("grown")} --json`,
    );
    const { diverged, trainLoss } = JSON.parse(stdout);
    expect([status, diverged, Number.isFinite(trainLoss)]).toEqual([1, 1, true]);
    expect(stderr).toContain("diverged in epoch 2; try a smaller --learning-rate");
  });

  it("goes on bit for bit, with more epochs too", async () => {
    json(`${small} --epochs 1 --out ${place("resumed")}`);
    const gone = json(`${small} --epochs 3 --out ${place("resumed")} --resume`);
    const whole = JSON.parse(readFileSync(place("one/result.json"), "utf8"));
    expect(timeless(gone)).toEqual(timeless(whole));
  });

  it("leaves the averaged model as .safetensors", () => {
    const bytes = new Uint8Array(readFileSync(place("one/model.safetensors")));
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString());
    expect(header["0.weight"]).toEqual({ dtype: "F32", shape: [784, 128], data_offsets: expect.any(Array) });
    expect(header.__metadata__).toMatchObject({ format: "equitopo", model: "perceptron" });
    expect(length % 8).toBe(0);
    const { tensors } = readSafetensors(bytes);
    const numbers = Object.values(tensors).flatMap(({ data }) => [...data]);
    const x = readCheckpoint("one").vectors["state.x"];
    const d = x.length / 4;
    const mean = Float32Array.from({ length: d }, (_, k) => (x[k] + x[d + k] + x[2 * d + k] + x[3 * d + k]) / 4);
    expect(Float32Array.from(numbers)).toEqual(mean);
  });

  it("draws who holds what where the split is uneven", async () => {
    json(`${small} --epochs 1 --split shards --shards 1 --out ${place("shards")}`);
    const svg = readFileSync(place("shards/shares.svg"), "utf8");
    expect(() => parseXml(svg)).not.toThrow();
    const held = [...svg.matchAll(/holds (\d+) images/g)].map(([, count]) => Number(count));
    expect(held.reduce((sum, count) => sum + count, 0)).toBe(1200);
    // Four shards of sorted labels: hardly any node sees more than four of the ten.
    expect(held.length).toBeLessThan(17);
  });
});

/** Starts the built command; `until` is asked whenever it writes to stderr. */
function interrupted(words: string, signal: NodeJS.Signals, until: (stderr: string) => boolean) {
  return new Promise<{ status: number | null; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [bin, ...words.split(" ")], { stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    let sent = false;
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (sent || !until(stderr)) return;
      sent = true;
      child.kill(signal);
    });
    child.on("close", (status) => resolve({ status, stderr }));
  });
}

describe("the spec of a run", () => {
  it("is printed, and run as any other gives the same rows", () => {
    const { stdout } = spawned(`${small} --epochs 3 --spec`);
    expect(parse(stdout)).toMatchObject({ problem: { name: "classification", data: "synthetic" }, epochs: 3 });
    writeFileSync(place("spec.yaml"), stdout);
    const { stateHash } = json(`run ${place("spec.yaml")} --out ${place("by-spec")}`);
    expect(stateHash).toBe(JSON.parse(readFileSync(place("one/result.json"), "utf8")).stateHash);
  });

  it("may start from a saved model", () => {
    const from = `--from ${place("one/model.safetensors")}`;
    const { history } = json(`${small} --epochs 1 ${from} --out ${place("from")}`);
    const [first] = JSON.parse(readFileSync(place("one/result.json"), "utf8")).history;
    expect(history[0].trainLoss).toBeLessThan(first.trainLoss / 2);
    expect(spawned(`${small} --model softmax-regression ${from}`).stderr).toMatch(/this network's 7850 parameters/);
  });
});

describe("MNIST's network on real peers", () => {
  const mpi =
    spawnSync("mpirun", ["--version"]).status === 0 &&
    existsSync(new URL("../../../../mpi/dist/native", import.meta.url));
  if (!mpi)
    console.error("\n*** training over MPI WAS NOT TESTED: there is no mpirun, or the addon is not built ***\n");
  const words = "train synthetic --nodes 5 --model mnist-cnn --batch 8 --images 100 --tests 20 --epochs 2 --seed 3";
  const { stdout } = spawned(`${words} --spec`);
  writeFileSync(place("peers.yaml"), stdout);
  const alone = json(`${words} --out ${place("alone")}`);

  it.each(["threads", "tcp", ...(mpi ? ["mpi"] : [])])(
    "over %s: the simulator's bits, and its evaluations",
    (transport) => {
      const out = place(`over-${transport}`);
      const { runs } = json(`run ${place("peers.yaml")} --transport ${transport} --peers 5 --out ${out}`);
      expect(runs[0].stateHash).toBe(alone.stateHash);
      expect(runs[0].bytesPerNode).toBe(alone.bytesPerNode);
      expect(readFileSync(join(out, "model.safetensors"))).toEqual(readFileSync(place("alone/model.safetensors")));
      const { averagedAccuracy, averagedLoss, meanAccuracy, worstAccuracy, trainLoss } = runs[0].metrics;
      expect({ averagedAccuracy, meanAccuracy, worstAccuracy, trainLoss, testLoss: averagedLoss }).toEqual({
        ...{ averagedAccuracy: alone.averagedAccuracy, meanAccuracy: alone.meanAccuracy },
        ...{ worstAccuracy: alone.worstAccuracy, trainLoss: alone.trainLoss, testLoss: alone.testLoss },
      });
    },
  );
});

describe("an interrupted run", () => {
  const long = "train synthetic --nodes 4 --images 1200 --tests 100 --seed 5 --epochs 8";

  it("ends cleanly on Ctrl-C, in the middle of an epoch, and loses nothing when killed", async () => {
    const whole = json(`${long} --out ${place("whole")}`);
    const stopped = `${long} --out ${place("stopped")}`;
    const { status, stderr } = await interrupted(stopped, "SIGINT", (text) => text.includes("epoch 1/8"));
    expect(status).toBe(130);
    expect(stderr).toContain("--resume goes on");
    const { updates } = readCheckpoint("stopped").header as { updates: number };
    expect(updates).toBeGreaterThanOrEqual(19);
    expect(updates).toBeLessThan(8 * 19);
    const killed = await interrupted(`${stopped} --resume`, "SIGKILL", (text) => /epoch [3-8]\/8/.test(text));
    expect(killed.status).not.toBe(0);
    expect(timeless(json(`${stopped} --resume`))).toEqual(timeless(whole));
  });
});

describe("refused", () => {
  it("without data, with the files' names and where they are had", () => {
    const { status, stderr } = spawned("train mnist");
    expect(status).toBe(2);
    expect(stderr).toMatch(/train-images-idx3-ubyte.*t10k-labels-idx1-ubyte.*https:.*--data DIR or EQUITOPO_DATA/);
    expect(spawned("train cifar10 --data /nowhere").stderr).toMatch(/data_batch_1\.bin.*https:/);
    expect(spawned("reproduce mnist --quick").status).toBe(2);
  });

  it.each([
    ["train minst", /did you mean mnist/],
    ["train synthetic --resume", /--resume needs the folder/],
    [`train synthetic --resume --out ${place("none")}`, /folder with a checkpoint/],
    [`${small} --epochs 3 --out ${place("one")}`, /add --resume/],
    [`${small} --epochs 3 --batch 32 --resume --out ${place("one")}`, /batch was 16 and is now 32/],
    ["train synthetic --protocol as-run --split shards", /dealt|deals/],
    ["train synthetic --alpha 0.1", /--split dirichlet/],
    ["train synthetic --shards 3", /--shards belongs to --split shards/],
    ["train synthetic --dropout 0.2", /--dropout belongs to --model mnist-cnn/],
    ["train synthetic --nodes 4 --n 5", /--nodes must be the 5 of --n, got 4/],
    ["train synthetic --momentum 1", /momentum must lie in \[0, 1\), got 1/],
    ["train synthetic --topology ring --eta 0.5", /--eta is an option of/],
    ["train synthetic --algorithm dsgd --momentum 0.5", /momentum/],
  ])("%s", async (words, reason) => {
    const { status, stderr } = await equitopo(words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
  });

  it("data that cannot be read once the run has begun, and nothing is left of it", () => {
    const data = {
      name: "own",
      file: place("node-%r.csv"),
      test: place("t.csv"),
      classes: 2,
      shape: [1],
      stepsPerEpoch: 1,
    };
    const spec = {
      topologies: [{ name: "ring", n: 3 }],
      algorithms: [{ name: "dsgd" }],
      problem: { name: "classification", data },
      epochs: 1,
    };
    writeFileSync(place("own.json"), JSON.stringify(spec));
    for (const name of ["node-0.csv", "node-1.csv", "t.csv"]) writeFileSync(place(name), "0,0\n1,1\n");
    writeFileSync(place("node-2.csv"), "0,0\nx,1\n");
    const words = `run ${place("own.json")} --out ${place("taken-back")}`;
    const { status, stderr } = spawned(words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/node-2.csv, line 2, column 1: a number is needed/)]);
    expect(existsSync(place("taken-back"))).toBe(false);
    writeFileSync(place("node-2.csv"), "0,0\n1,1\n");
    expect(spawned(words).status).toBe(0);
  });

  it("a checkpoint with one wrong bit", () => {
    cpSync(place("one"), place("damaged"), { recursive: true });
    const path = checkpointOf("damaged");
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
    const { status, stderr } = spawned(`${small} --epochs 4 --resume --out ${place("damaged")}`);
    expect([status, stderr]).toEqual([2, expect.stringContaining("checksum")]);
  });
});

/** Drawn images in MNIST's files. */
function fakeMnist(): string {
  const data = place("mnist");
  mkdirSync(data);
  const { images, labels } = syntheticImages({ count: 800, seed: 1 });
  const idx = (kind: number, sizes: readonly number[], bytes: Uint8Array) => {
    const head = Buffer.alloc(4 + 4 * sizes.length);
    head.set([0, 0, 8, kind]);
    sizes.forEach((size, k) => {
      head.writeUInt32BE(size, 4 + 4 * k);
    });
    return Buffer.concat([head, bytes]);
  };
  for (const [name, from, to] of [
    ["train", 0, 600],
    ["t10k", 600, 800],
  ] as const) {
    const pixels = images.subarray(784 * from, 784 * to) as Uint8Array;
    writeFileSync(join(data, `${name}-images-idx3-ubyte`), idx(3, [to - from, 28, 28], pixels));
    writeFileSync(
      join(data, `${name}-labels-idx1-ubyte`),
      idx(1, [to - from], labels.subarray(from, to) as Uint8Array),
    );
  }
  return data;
}

describe("reproduce mnist", () => {
  it("needs its data by name, and is passed over among all, with the reason", () => {
    const needy = [{ name: "mnist", needs: "mnist" }] as unknown as Parameters<typeof withData>[0];
    expect(() => withData(needy, false, { data: "/nowhere" })).toThrow(/MNIST is read from/);
    const { ready, skipped } = withData(needy, true, { data: "/nowhere" });
    expect(ready).toEqual([]);
    expect(skipped).toEqual([{ name: "mnist", why: expect.stringMatching(/its data is not there.*train-images/) }]);
  });

  it("trains every row in both protocols and sets the paper's figures beside them", () => {
    const data = fakeMnist();
    const { status, stdout } = spawned(`reproduce mnist --quick --data ${data} --out ${place("table")} --json`);
    expect(status).toBeLessThan(2);
    const [{ tables }] = JSON.parse(stdout).experiments;
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(["corrected", "as-run"]);
    expect(tables[0].rows.map((row: unknown[]) => row.slice(0, 2))).toEqual([
      ["Centralised SGD", 98.34],
      ["OD-EquiDyn", 98.39],
    ]);
    for (const row of tables[1].rows) for (const value of row.slice(2)) expect(value).toEqual(expect.any(Number));
    expect(existsSync(place("table/mnist-as-run.svg"))).toBe(true);
  });
});

/** What is written to stderr meanwhile. */
