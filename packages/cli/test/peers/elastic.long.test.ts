/** `equitopo worker --elastic` as a person uses it: processes, a key, one that joins, one that is interrupted. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "@equitopo/node";
import { afterEach, expect, it } from "vitest";
import { bin, equitopo, scratch } from "../command.ts";

const folder = scratch();
const spec = join(folder, "spec.json");
const [hosts, key] = [join(folder, "hosts.txt"), join(folder, "key")];
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

writeFileSync(
  spec,
  JSON.stringify({
    topologies: [{ name: "ou-equidyn", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.001 }],
    problem: { name: "least-squares", sigmaN: 0 },
    rounds: 1_000_000,
    every: 1000,
  }),
);
writeFileSync(key, "a key of sixteen bytes and more\n", { mode: 0o600 });

class Worker {
  readonly child: ChildProcess;
  said = "";
  printed = "";

  constructor(rank: number) {
    const words = ["worker", spec, "--elastic", "--rank", String(rank), "--hosts", hosts, "--key", key, "--json"];
    this.child = spawn(process.execPath, [bin, ...words, "--timeout", "2000"], { stdio: ["ignore", "pipe", "pipe"] });
    this.child.stderr?.on("data", (text) => {
      this.said += text;
    });
    this.child.stdout?.on("data", (text) => {
      this.printed += text;
    });
    running.push(this.child);
  }

  async says(text: string): Promise<void> {
    for (let tries = 0; !this.said.includes(text); tries++) {
      if (tries > 600) throw new Error(`not said within a minute: ${text}; but: ${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

it("a fourth joins three, one leaves on Ctrl-C, and then all", async () => {
  writeFileSync(hosts, (await freePorts(4)).map((port) => `127.0.0.1:${port}\n`).join(""));
  const workers = [0, 1, 2].map((rank) => new Worker(rank));
  await workers[0].says("membership epoch 0 from iteration 0: 3 in (0 1 2)");
  workers.push(new Worker(3));
  for (const worker of workers) await worker.says("4 in (0 1 2 3)");
  const leave = async (rank: number) => {
    workers[rank].child.kill("SIGINT");
    expect(await once(workers[rank].child, "close")).toEqual([0, null]);
  };
  await leave(1);
  expect(JSON.parse(workers[1].printed)).toMatchObject({ seat: 1, left: true });
  await workers[3].says("3 in (0 2 3)");
  await Promise.all([leave(0), leave(2), leave(3)]);
  expect(JSON.parse(workers[3].printed)).toMatchObject({ seat: 3, left: true, skipped: 0 });
}, 180_000);

it("what cannot be is refused before anything is opened", async () => {
  writeFileSync(hosts, "127.0.0.1:1\n127.0.0.1:2\n");
  const refused = async (words: string) => {
    const { status, stderr } = await equitopo(`worker ${words}`);
    expect(status).toBe(2);
    return stderr;
  };
  expect(await refused(`${spec} --elastic --rank 0 --hosts ${hosts}`)).toMatch(/at least the spec's 3 peers/);
  expect(await refused(`${spec} --elastic --hosts ${hosts}`)).toMatch(/needs --rank and --hosts/);
  expect(await refused(`${spec} --silence 5000 --rank 0 --hosts ${hosts}`)).toMatch(/--silence goes with --elastic/);
  expect(await refused(`${spec} --elastic --overlap --rank 0 --hosts ${hosts}`)).toMatch(/--overlap/);
});

it("one that hears nobody ends with a sentence, not with a stack trace", async () => {
  writeFileSync(hosts, (await freePorts(4)).map((port) => `127.0.0.1:${port}\n`).join(""));
  for (const rank of [0, 3]) {
    const words = `worker ${spec} --elastic --rank ${rank} --hosts ${hosts} --key ${key} --start-timeout 500`;
    const { status, stderr } = await equitopo(words);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^peer ${rank} was not let in for 500 ms: membership epoch 0 is 0 1 2$`, "m"));
    expect(stderr).not.toContain("    at ");
  }
}, 60_000);
