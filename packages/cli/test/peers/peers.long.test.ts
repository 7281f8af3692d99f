/** Real peers by command: the simulator's hash on every transport, the same folder, and what differed. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeEvent, encodeEvent, type RoundEvent } from "../../../equitopo/src/peer/report/event.ts";
import { parseAddress, readHosts } from "../../src/peers/hosts.ts";
import { foldedRanks, livePeers } from "../../src/peers/live.ts";
import { bin, equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const document = {
  topologies: [
    { name: "ou-equidyn", n: 9 },
    { name: "d-equistatic", n: 9, m: 3 },
  ],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  rounds: 40,
  every: 10,
  seeds: [5],
};
const spec = join(folder, "spec.json");
writeFileSync(spec, JSON.stringify(document));
const three = join(folder, "three.json");
const small = { ...document, topologies: [{ name: "ou-equidyn", n: 3 }], rounds: 30 };
writeFileSync(three, JSON.stringify(small));

const mpi =
  spawnSync("mpirun", ["--version"]).status === 0 && existsSync(new URL("../../../mpi/dist/native", import.meta.url));
if (!mpi)
  console.error("\n*** run --transport mpi WAS NOT TESTED: there is no mpirun, or the addon is not built ***\n");
const transports = ["threads", "tcp", ...(mpi ? ["mpi"] : [])];

describe("run --transport", () => {
  const simulated = parsed(spawned(`run ${spec} --out ${join(folder, "simulated")} --json`));

  it.each(transports)("%s: the simulator's rows and metrics, and its folder", (transport) => {
    const out = join(folder, transport);
    const words = `run ${spec} --peers 9 --transport ${transport} --timeout 60000 --out ${out} --json`;
    const real = parsed(spawned(words));
    expect(real.stateHash).toBe(simulated.stateHash);
    simulated.runs.forEach((run: Record<string, unknown>, k: number) => {
      for (const name of ["label", "metrics", "bytesPerNode", "messagesPerNode", "stateHash", "updates"]) {
        expect(real.runs[k][name], name).toEqual(run[name]);
      }
    });
    expect(readdirSync(out).sort()).toEqual(
      [...readdirSync(join(folder, "simulated")), "run-real.csv", "run-real.ndjson"].sort(),
    );
    // Of units that are finished nothing is kept.
    expect(readdirSync(join(out, "checkpoints"))).toEqual([]);
    const report = readFileSync(join(out, "report.html"), "utf8");
    expect(report).toContain("How the real run differed");
    expect(report).toContain(`9 over ${transport}`);
  });

  it("loses messages where it is told to, goes on, and says how many", () => {
    const out = join(folder, "lossy");
    const result = parsed(spawned(`run ${three} --transport threads --timeout 40 --drop 0.2 --out ${out} --json`));
    expect(result.runs[0].updates).toBe(30);
    const rows = readFileSync(join(out, "run-real.csv"), "utf8");
    expect(Number(/exchanges void,0,(\d+)/.exec(rows)?.[1])).toBeGreaterThan(0);
  });

  it("carries codes that are longer than the vectors they stand for", () => {
    const path = join(folder, "choco.json");
    const algorithms = [{ name: "choco", compressor: "top-k", keep: 1, learningRate: 0.01 }];
    writeFileSync(path, JSON.stringify({ ...small, topologies: [{ name: "ring", n: 3 }], algorithms }));
    const plain = parsed(spawned(`run ${path} --out ${join(folder, "choco")} --json`));
    const real = parsed(spawned(`run ${path} --transport threads --out ${join(folder, "choco-threads")} --json`));
    expect(real.stateHash).toBe(plain.stateHash);
    expect(real.runs[0].bytesPerNode).toBe(plain.runs[0].bytesPerNode);
  });

  it("overlaps combine-then-adapt with the same result", () => {
    const path = join(folder, "overlap.json");
    const algorithms = [{ name: "dsgd", order: "combine-then-adapt", learningRate: 0.01 }];
    writeFileSync(path, JSON.stringify({ ...small, algorithms }));
    const plain = parsed(spawned(`run ${path} --out ${join(folder, "plain")} --json`));
    const real = parsed(spawned(`run ${path} --transport threads --overlap --out ${join(folder, "overlap")} --json`));
    expect(real.stateHash).toBe(plain.stateHash);
  });

  it.each([
    [`run ${spec} --transport carrier-pigeon`, /--transport is one of threads, tcp, threads-tcp, mpi/],
    [`run ${spec} --transport threads --peers 16`, /--peers must be the spec's n = 9/],
    [`run ${spec} --peers 9`, /--peers is for real peers/],
    [`run ${spec} --transport tcp --drop 1`, /drop must lie in/],
  ])("refuses %s", async (words, message) => {
    const { status, stderr } = await equitopo(words);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("run --transport --resume", () => {
  const long = join(folder, "long.json");
  writeFileSync(long, JSON.stringify({ ...small, rounds: 1000, every: 20, seeds: [5, 6] }));
  const simulated = join(folder, "long");
  const whole = parsed(spawned(`run ${long} --out ${simulated} --json`));
  const lines = (path: string): { key: string; value: Record<string, unknown> }[] => {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  interface Entry {
    readonly updates: number;
    readonly seconds: number;
  }
  /** The records that are kept of the unit with that seed. */
  const recordsOf = (out: string, seed: number): Entry[] => {
    const files = join(out, "checkpoints");
    const name = existsSync(files) && readdirSync(files).find((name) => name.includes(`seed-${seed}`));
    return name ? lines(join(files, name)).flatMap(({ value }) => value["entries"] as Entry[]) : [];
  };
  const alive = (pid: string) => existsSync(`/proc/${pid}`);
  const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const cases = [
    ["threads", "SIGINT", 5],
    ["tcp", "SIGKILL", 6],
  ] as const;

  it.each(cases)("%s: after %s goes on inside a run, bit for bit", async (transport, signal, seed) => {
    const out = join(folder, `cut-${transport}`);
    const words = ["run", long, "--transport", transport, "--timeout", "60000", "--out", out];
    const child = spawn(process.execPath, [bin, ...words], { stdio: "ignore" });
    const ended = once(child, "exit");
    // By then each of the three has saved what it had after 64 updates, and after 128.
    while ((recordsOf(out, seed).at(-1)?.updates ?? 0) < 200) await new Promise((resolve) => setTimeout(resolve, 5));
    const children = transport === "threads" ? [] : childrenOf(child.pid as number);
    child.kill(signal);
    expect((await ended)[0]).toBe(signal === "SIGINT" ? 130 : null);
    // Nobody is left behind to go on unheard.
    while (children.some(alive)) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = recordsOf(out, seed).filter(({ updates }) => updates <= 64);
    expect(before.map(({ updates }) => updates)).toEqual([0, 20, 40, 60]);
    expect(parsed(spawned(`${words.join(" ")} --resume --json`)).stateHash).toBe(whole.stateHash);
    const results = new Map(lines(join(out, "journal.ndjson")).map(({ key, value }) => [key, value]));
    for (const { key, value } of lines(join(simulated, "journal.ndjson"))) {
      for (const name of ["updates", "metrics", "bytes", "messages", "stateHash"]) {
        expect(results.get(key)?.[name], name).toEqual(value[name]);
      }
    }
    // Seconds are measured: those of the first records are the first launch's.
    const [resumed] = [...results].filter(([key]) => key.includes(`seed=${seed}`)).map(([, value]) => value);
    expect((resumed["seconds"] as number[]).slice(0, 4)).toEqual(before.map((entry) => entry.seconds));
    expect(readdirSync(join(out, "checkpoints"))).toEqual([]);
  });
});

describe("worker and cluster", () => {
  const rowsOf = async (options: string, rank: number, more: readonly string[] = []) => {
    const words = ["worker", three, "--rank", String(rank), ...options.split(" "), "--json", ...more];
    const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "pipe", "inherit"] });
    let told = "";
    child.stdout.on("data", (text) => {
      told += text;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    return JSON.parse(told);
  };
  const port = 9000 + (process.pid % 5000);

  it.each([
    ["certificates", "", `localhost:${port}`],
    ["a key", " --key", `127.0.0.1:${port + 10}`],
  ])("three peers that trust each other by %s", async (_name, flag, host) => {
    const out = join(folder, `cluster${flag.trim()}`);
    const made = parsed(await equitopo(`cluster init ${host} --peers 3 --out ${out}${flag} --json`));
    expect(readHosts(join(out, "hosts.txt"))).toHaveLength(3);
    for (const name of made.files) if (/key$/.test(name)) expect(statSync(join(out, name)).mode & 0o077).toBe(0);
    const trust = flag === "" ? `--tls ${out}` : `--key ${join(out, "key")}`;
    const options = `--hosts ${join(out, "hosts.txt")} ${trust} --timeout 60000`;
    const checkpoint = join(out, "peer-1.ckpt");
    const told = await Promise.all(
      [0, 1, 2].map((rank) => rowsOf(options, rank, rank === 1 ? ["--checkpoint", checkpoint] : [])),
    );
    expect(told.map(({ rank, done, missed }) => [rank, done, missed])).toEqual([0, 1, 2].map((rank) => [rank, 30, 0]));
    expect(existsSync(checkpoint)).toBe(true);
  });

  it.each([
    [`worker ${three}`, /needs its number and the hosts/],
    [`worker ${three} --rank 1`, /go together/],
    [`worker ${three} --rank 1 --hosts ${join(folder, "none")}`, /hosts file must be readable/],
    [`worker ${three} --only 7 --rank 0 --hosts x`, /the spec has runs 0 to 0/],
    [`cluster start a --out ${join(folder, "x")}`, /one action, init/],
    [`cluster init a a --out ${join(folder, "x")}`, /named once/],
    [`cluster init a:99999 --out ${join(folder, "x")}`, /name:port/],
    [`cluster init a --out ${folder}`, /new or empty/],
  ])("refuses %s", async (words, message) => {
    const { status, stderr } = await equitopo(words);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("reads hosts as people write them", () => {
    expect(parseAddress("node-3", "here")).toEqual({ host: "node-3", port: 7117 });
    expect(parseAddress("[fd00::1]:80", "here")).toEqual({ host: "fd00::1", port: 80 });
    const path = join(folder, "hosts.txt");
    writeFileSync(path, "# three\nnode-0:1\n\n10.0.0.2:2  # second\n");
    expect(readHosts(path)).toEqual([
      { host: "node-0", port: 1 },
      { host: "10.0.0.2", port: 2 },
    ]);
  });
});

describe("doctor", () => {
  it("says what the machine can do, and fails for a host that does not answer", async () => {
    const { machine } = parsed(await equitopo("doctor --json"));
    const names = machine.map(({ what }: { what: string }) => what);
    for (const name of ["cores", "peers in threads", "wasm simd", "mpirun", "MPI"]) expect(names).toContain(name);
    const hosts = join(folder, "nobody.txt");
    writeFileSync(hosts, "127.0.0.1:1\n");
    const { status, stdout } = await equitopo(`doctor --hosts ${hosts}`);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /no +peer 0 at 127\.0\.0\.1:1 +refused: nobody listens there \(ECONNREFUSED\); start its worker/,
    );
  });
});

describe("live lines", () => {
  const event = (rank: number, round: number): RoundEvent => ({
    ...{ kind: "round", rank, run: 0, round, partners: [3], bytes: 800, lag: 0 },
  });

  it("fold to those furthest behind", () => {
    const events = Array.from({ length: 64 }, (_, rank) => event(rank, rank === 40 ? 2 : 10 + (rank % 5)));
    const shown = foldedRanks(events, 8);
    expect(shown).toHaveLength(7);
    expect(shown.map(({ rank }) => rank)).toContain(40);
    expect(foldedRanks(events.slice(0, 5).reverse(), 8).map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4]);
  });

  it("are drawn on a terminal only", async () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 100, rows: 24, write: (text: string) => written.push(text) };
    const options = { peers: 2, rounds: () => 50, metric: () => 0.125, stream };
    const live = livePeers({ ...options, quiet: false });
    live.show(event(1, 9));
    while (written.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    live.end();
    expect(written.join("")).toContain("peer 1  round 10/50  1.25e-1  with 3");
    expect(written.join("")).toContain("1 peers not heard of yet");
    const quiet = livePeers({ ...options, quiet: true, stream: { ...stream, write: () => expect.fail("it wrote") } });
    quiet.show(event(0, 1));
    quiet.end();
  });

  it("rows travel as text without losing a bit", () => {
    const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };
    for (const x of [Float64Array.of(-0, 5e-324, Number.NaN), Float32Array.of(0.1, -3)]) {
      const record = {
        kind: "record",
        rank: 1,
        run: 0,
        updates: 3,
        x,
        bytes: 1,
        messages: 1,
        seconds: 1,
        faults,
      } as const;
      const line = encodeEvent(record);
      expect(decodeEvent(line)).toEqual(record);
      // A peer that is killed leaves what it had written of its last line.
      for (let cut = 1; cut < line.length - 1; cut++) expect(decodeEvent(line.slice(0, cut))).toBeUndefined();
    }
  });
});

if (mpi) {
  describe("mpirun equitopo worker", () => {
    it("ends when it is told to, and resumes from its checkpoints to the same rows", async () => {
      const path = join(folder, "resumed.json");
      writeFileSync(path, JSON.stringify({ ...small, rounds: 500, every: 500 }));
      const words = [
        "--allow-run-as-root",
        "--oversubscribe",
        "-n",
        "3",
        process.execPath,
        bin,
        "worker",
        path,
        "--json",
      ];
      const ranks = async (checkpoint: readonly string[], stopWhen?: () => boolean) => {
        const child = spawn("mpirun", [...words, ...checkpoint], { stdio: ["ignore", "pipe", "ignore"] });
        let told = "";
        child.stdout.on("data", (text) => {
          told += text;
        });
        const closed = once(child, "close");
        if (stopWhen !== undefined) {
          while (!stopWhen()) await new Promise((resolve) => setTimeout(resolve, 5));
          child.kill("SIGTERM");
        }
        const [code] = await closed;
        return { code, hashes: [...told.matchAll(/"rowHashes": (.*)/g)].map(([, hash]) => hash).sort() };
      };
      const checkpoint = ["--checkpoint", join(folder, "mpi-%r.ckpt"), "--checkpoint-every", "20"];
      const stopped = await ranks(checkpoint, () => existsSync(join(folder, "mpi-2.ckpt")));
      expect(stopped.code).not.toBe(0);
      const resumed = await ranks(checkpoint);
      expect(resumed.code).toBe(0);
      expect(resumed.hashes).toHaveLength(3);
      expect(resumed.hashes).toEqual((await ranks([])).hashes);
    });
  });
}
