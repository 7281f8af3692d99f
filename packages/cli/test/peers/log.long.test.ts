/** The log of workers of whom one dies and is started again: a line for each, and faults in sums. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { bin, equitopo, scratch } from "../command.ts";
import { faultsOf } from "./log-schema.ts";

const folder = scratch();
const port = 33_000 + (process.pid % 900) * 8;
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

interface Line {
  readonly what: string;
  readonly time: string;
  readonly partners?: readonly number[];
  readonly count: number;
}

const linesOf = (rank: number): Line[] => {
  const path = join(folder, `${rank}.ndjson`);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
};
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

it("says once that a peer is gone and once that it rejoined, and adds up what is missed meanwhile", async () => {
  await equitopo(`cluster init 127.0.0.1:${port} --peers 3 --key --out ${folder}`);
  const spec = join(folder, "spec.json");
  const document = {
    ...{ topologies: [{ name: "ring", n: 3 }], algorithms: [{ name: "dsgd", learningRate: 1e-7 }] },
    ...{ problem: { name: "least-squares", d: 20_000, K: 2 }, rounds: 4000, every: 4000, seeds: [5] },
  };
  writeFileSync(spec, JSON.stringify(document));
  const start = (rank: number) => {
    const trust = `--hosts ${join(folder, "hosts.txt")} --key ${join(folder, "key")} --timeout 1000`;
    const files = `--log ${join(folder, "%r.ndjson")} --checkpoint ${join(folder, "c-%r")} --checkpoint-every 32`;
    const words = `worker ${spec} --rank ${rank} ${trust} ${files} --json`.split(" ");
    const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "ignore", "pipe"] });
    running.push(child);
    const said: string[] = [];
    child.stderr.on("data", (text) => said.push(String(text)));
    return { child, said, ended: once(child, "close") };
  };
  const workers = [0, 1, 2].map(start);
  await until(() => existsSync(join(folder, "c-2")));
  workers[2].child.kill("SIGKILL");
  const died = Date.now();
  await workers[2].ended;
  const others = [0, 1];
  const whatOf = (rank: number) => linesOf(rank).map(({ what }) => what);
  await until(() => others.every((rank) => whatOf(rank).includes("gone")));
  for (const rank of others) {
    const gone = linesOf(rank).filter(({ what }) => what === "gone");
    expect(gone).toEqual([expect.objectContaining({ level: "warn", partners: [2] })]);
    expect(Date.parse(gone[0].time) - died).toBeLessThan(1500);
    expect(whatOf(rank)).not.toContain("reconnect");
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  // Hundreds of vectors are missed by now.
  for (const rank of others) expect(whatOf(rank).length, whatOf(rank).join()).toBeLessThan(8);
  workers[2] = start(2);
  await until(() => others.every((rank) => whatOf(rank).includes("rejoined")));
  await Promise.all(workers.map(({ ended }) => ended));
  for (const rank of others) {
    const lines = linesOf(rank);
    expect(lines.flatMap((line) => faultsOf(line))).toEqual([]);
    const of = (kind: string) => lines.filter(({ what }) => what === kind);
    expect([of("gone").length, of("rejoined").length, of("end").length]).toEqual([1, 1, 1]);
    expect(of("rejoined")[0].partners).toEqual([2]);
    expect(of("missed").reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(50);
    expect(lines.length).toBeLessThan(20);
    const said = workers[rank].said.join("");
    expect(said).toMatch(
      new RegExp(`peer ${rank}: peer 2 is gone, in round \\d+\npeer ${rank}: peer 2 rejoined at round`),
    );
  }
  expect(linesOf(2).filter(({ what }) => what === "rejoined")).toEqual([expect.objectContaining({ partners: [2] })]);
}, 120_000);
