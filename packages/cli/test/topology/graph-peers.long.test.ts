/** Real peers on a graph from a file: the bits of the simulator; and peers with another file refuse each other. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const port = 33_000 + (process.pid % 900) * 4;

/** A spec and its graph, in a folder of their own. */
function written(name: string, edges: string): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "g.csv"), `source,target\n${edges}`);
  const path = join(folder, name, "spec.json");
  const document = {
    topologies: [{ name: "file", path: "g.csv" }],
    algorithms: [{ name: "dsgt", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 10 },
    updates: 30,
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}

test.each(["threads", "tcp"])("over %s the bits are the simulator's", (transport) => {
  const spec = written(transport, "0,1\n0,2\n1,2\n2,3\n");
  const alone = parsed(spawned(`run ${spec} --out ${join(folder, `${transport}-0`)} --json --quiet`));
  const words = `run ${spec} --transport ${transport} --out ${join(folder, `${transport}-1`)} --json --quiet`;
  expect(parsed(spawned(words)).stateHash).toBe(alone.stateHash);
});

test("peers whose files differ refuse each other", async () => {
  const specs = [written("one", "0,1\n0,2\n1,2\n"), written("other", "0,1\n1,2\n")];
  const hosts = join(folder, "hosts.txt");
  writeFileSync(hosts, [0, 1, 2].map((rank) => `127.0.0.1:${port + rank}\n`).join(""));
  const key = join(folder, "key");
  writeFileSync(key, "5a".repeat(32), { mode: 0o600 });
  const ended = [0, 1, 2].map(async (rank) => {
    const words = ["worker", specs[rank === 2 ? 1 : 0], "--rank", String(rank), "--hosts", hosts, "--key", key];
    const child = spawn(process.execPath, [bin, ...words, "--start-timeout", "4000", "--json"], { stdio: "pipe" });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    return { code, stderr };
  });
  const [, , stranger] = await Promise.all(ended);
  expect(stranger.code).toBe(1);
  expect(stranger.stderr).toMatch(/refused peer \d at 127\.0\.0\.1: spec/);
});
