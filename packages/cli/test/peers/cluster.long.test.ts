/** Workers as processes: two with one number, one that has moved, one that is watched by strangers. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { settling } from "../../../equitopo/src/peer/exchange/incarnation.ts";
import { bin, equitopo, scratch } from "../command.ts";

const folder = scratch();
const document = {
  topologies: [{ name: "ou-equidyn", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  seeds: [5],
};
const specOf = (rounds: number) => {
  const path = join(folder, `${rounds}.json`);
  writeFileSync(path, JSON.stringify({ ...document, rounds, every: rounds }));
  return path;
};
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const port = 14_000 + (process.pid % 900) * 20;
/** A folder that no earlier try of a test has used. */
const ownFolder = (name: string) => mkdtempSync(join(folder, `${name}-`));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** A worker, and what it comes to. */
function worker(spec: string, rank: number, out: string, trust: readonly string[]) {
  const words = ["worker", spec, "--rank", String(rank), "--hosts", join(out, "hosts.txt"), ...trust, "--json"];
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (text) => {
      said[name] += text;
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  return { child, ended };
}

describe("workers", () => {
  it("with one number: the newer one, at another address, takes part; the older one says so and ends with 1", async () => {
    const out = ownFolder("moved");
    await equitopo(`cluster init 127.0.0.1:${port} --peers 3 --out ${out} --per-peer`);
    const spec = specOf(100_000_000);
    const older = [0, 1, 2].map((rank) => worker(spec, rank, out, ["--tls", out]));
    await sleep(settling + 4000);
    // Peer 1 has moved, and everybody's hosts.txt says so; its old process knows nothing of it.
    const hosts = readFileSync(join(out, "hosts.txt"), "utf8");
    writeFileSync(join(out, "hosts.txt"), hosts.replace(`:${port + 1}\n`, `:${port + 9}\n`));
    const newer = worker(spec, 1, out, ["--tls", out]);
    const { code, stderr } = await older[1].ended;
    expect(code).toBe(1);
    expect(stderr).toContain("peer 1 was started again elsewhere: this process, the older one, ends");
    await sleep(1000);
    // Whoever has ended shows what it said.
    const ended = [older[0], newer, older[2]].filter(({ child }) => child.exitCode !== null);
    expect(await Promise.all(ended.map((one) => one.ended))).toEqual([]);
  }, 60_000);

  it("that find too few others for their checkpoint say so in a sentence, and end with 1", async () => {
    const out = ownFolder("few");
    await equitopo(`cluster init 127.0.0.1:${port + 13} --peers 3 --out ${out} --key`);
    const trust = ["--key", join(out, "key"), "--checkpoint", join(out, "c"), "--checkpoint-every", "1"];
    const alone = worker(specOf(100_000_000), 1, out, [...trust, "--start-timeout", "1000", "--alone-ok"]);
    while (!existsSync(join(out, "c"))) await sleep(50);
    alone.child.kill("SIGKILL");
    await alone.ended;
    const { code, stderr } = await worker(specOf(100_000_000), 1, out, [...trust, "--start-timeout", "1000"]).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^peer 1: 1 of 3 peers came to the opening meeting, .* start the others \(0, 2\)/m);
    expect(stderr).not.toContain("    at ");
  }, 60_000);

  it("with gradient tracking, one killed and started again, end at the minimum of all and say what they did", async () => {
    const out = ownFolder("tracking");
    await equitopo(`cluster init 127.0.0.1:${port + 4} --peers 4 --out ${out}`);
    const spec = join(out, "dsgt.json");
    const dsgt = { topologies: [{ name: "ring", n: 4 }], algorithms: [{ name: "dsgt", learningRate: 0.02 }] };
    const problem = { name: "least-squares", d: 3, K: 10, sigmaN: 0, sigmaH: 1 };
    const text = { ...dsgt, problem, rounds: 15_000, every: 5000, seeds: [5] };
    writeFileSync(spec, JSON.stringify(text));
    const trust = ["--tls", out, "--checkpoint", join(out, "c-%r"), "--checkpoint-every", "64", "--timeout", "2000"];
    const start = (rank: number) => worker(spec, rank, out, [...trust, "--out", join(out, "results", "%r")]);
    const workers = [0, 1, 2, 3].map(start);
    while (!existsSync(join(out, "c-2"))) await sleep(10);
    workers[2].child.kill("SIGKILL");
    await workers[2].ended;
    await sleep(300);
    workers[2] = start(2);
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(ends[2].stderr).toMatch(/came at iteration \d+ without its tracker: .* repaired at iteration/);
    // Each peer's folder says how near to the minimum of all its own model is.
    for (const rank of [0, 1, 2, 3]) {
      const place = join(out, "results", String(rank));
      const { runs } = JSON.parse(readFileSync(join(place, "result.json"), "utf8"));
      expect(runs[0].metrics.relativeError).toBeLessThan(1e-6);
      expect(readFileSync(join(place, "metrics.csv"), "utf8")).toMatch(
        /^updates,bytes,messages,seconds,relativeError\r\n/,
      );
      expect(existsSync(join(place, "model.npy"))).toBe(true);
    }
    // What is there is not written over, and last words name the checkpoint that is there.
    const again = await start(2).ended;
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("must not have any")]);
  }, 120_000);

  it("end with 143 where they are asked to end, and name the checkpoint that is there", async () => {
    const out = ownFolder("asked");
    await equitopo(`cluster init 127.0.0.1:${port + 8} --peers 3 --out ${out} --key`);
    const trust = ["--key", join(out, "key"), "--checkpoint", join(out, "c-%r"), "--checkpoint-every", "1"];
    const alone = worker(specOf(100_000_000), 1, out, [...trust, "--start-timeout", "1000", "--alone-ok"]);
    while (!existsSync(join(out, "c-1"))) await sleep(50);
    alone.child.kill("SIGTERM");
    const { code, stderr } = await alone.ended;
    expect(code).toBe(143);
    expect(stderr).toContain(`interrupted; ${join(out, "c-1")} holds the last checkpoint`);
  }, 60_000);

  it("end when they are done, though strangers hold connections to them", async () => {
    const out = ownFolder("watched");
    await equitopo(`cluster init 127.0.0.1:${port + 10} --peers 3 --out ${out}`);
    const spec = specOf(200);
    const workers = [0, 1, 2].map((rank) => worker(spec, rank, out, ["--tls", out]));
    const strangers: net.Socket[] = [];
    const watch = setInterval(() => {
      const socket = net.connect(port + 10, "127.0.0.1");
      socket.on("error", () => {});
      strangers.push(socket);
    }, 30);
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    clearInterval(watch);
    for (const socket of strangers) socket.destroy();
    expect(ends.map(({ code, stdout }) => [code, JSON.parse(stdout).done])).toEqual(ends.map(() => [0, 200]));
  }, 60_000);
});
