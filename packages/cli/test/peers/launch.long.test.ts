/** Launches that end otherwise than planned: nobody and nothing is left behind. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { bin, scratch } from "../command.ts";

const folder = scratch();
const spec = join(folder, "spec.json");
writeFileSync(
  spec,
  JSON.stringify({
    topologies: [{ name: "ou-equidyn", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds: 100_000, every: 20, seeds: [5] },
  }),
);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

const started: ChildProcess[] = [];
// Peers end with their launcher.
afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** A launch in a temporary folder of its own, once its peers train. */
async function launched(name: string, temporary = join(folder, name)) {
  mkdirSync(temporary);
  const out = join(folder, `${name}-out`);
  const words = ["run", spec, "--transport", "tcp", "--timeout", "500", "--out", out];
  const child: ChildProcess = spawn(process.execPath, [bin, ...words], {
    stdio: "ignore",
    env: { ...process.env, TMPDIR: temporary },
  });
  started.push(child);
  const records = join(out, "checkpoints");
  // The records of all three have been written.
  const trains = () =>
    existsSync(records) &&
    readdirSync(records).some((file) => file.endsWith(".records") && statSync(join(records, file)).size > 500);
  while (!trains()) {
    expect(child.exitCode).toBe(null);
    await pause(20);
  }
  return { child, temporary, peers: childrenOf(child.pid as number) };
}

async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await pause(20);
}

describe("a launch of peers over TCP", () => {
  it("that loses its terminal takes its peers and its folder along", async () => {
    const { child, temporary, peers } = await launched("hangup");
    expect(peers).toHaveLength(3);
    const [place] = readdirSync(temporary);
    // All have reported, so the key is gone already.
    expect(readdirSync(join(temporary, place)).sort()).toEqual(["hosts.txt", "report", "runs.json"]);
    child.kill("SIGHUP");
    const [code] = await once(child, "exit");
    expect(code).toBe(129);
    await gone(peers);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("goes on where a peer is killed in the middle of a word; killed itself, it leaves nothing behind", async () => {
    const { child, temporary, peers } = await launched("killed");
    process.kill(peers[1], "SIGKILL");
    await pause(1000);
    expect(child.exitCode).toBe(null);
    expect([isAlive(peers[0]), isAlive(peers[2])]).toEqual([true, true]);
    child.kill("SIGKILL");
    await gone(peers);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("works where the temporary folder has a long path, and ends its peers when it is told to end", async () => {
    const { child, temporary, peers } = await launched("long", join(folder, "x".repeat(100)));
    expect(readdirSync(temporary)).toEqual([]);
    child.kill("SIGTERM");
    await once(child, "exit");
    await gone(peers);
  });

  it("goes, and its children with it, where an error ends the whole program", async () => {
    const built = fileURLToPath(new URL("../../dist/peers/launch-folder.js", import.meta.url));
    const program = `
      import { spawn } from "node:child_process";
      import { openLaunchFolder } from ${JSON.stringify(built)};
      const folder = openLaunchFolder({ runs: 1, peers: 1, onEvent() {} });
      folder.secret("key", "secret");
      const child = folder.own(spawn("sleep", ["100"]));
      console.log(JSON.stringify([folder.path, child.pid]));
      setTimeout(() => { throw new Error("nobody catches this"); }, 10);
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
    });
    const [code] = await once(child, "close");
    expect(code).not.toBe(0);
    const [path, pid] = JSON.parse(said) as [string, number];
    expect(existsSync(path)).toBe(false);
    await gone([pid]);
  });
});
