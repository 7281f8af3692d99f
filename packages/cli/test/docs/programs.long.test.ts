/** The programs of docs/real-peers.md as they stand: written to a folder and run there, each command by a shell. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "@equitopo/node";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(join(root, "docs/real-peers.md"), "utf8");
// Inside the repository, where `import "equitopo"` finds the packages.
const folder = join(root, "node_modules/.cache/equitopo-real-peers");

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text]) => text);

/** What a command line prints, the lines in order: peers end when they like. */
function shell(command: string): string[] {
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}` };
  const output = execFileSync("bash", ["-c", command], { cwd: folder, env, encoding: "utf8", timeout: 120_000 });
  return output.trim().split("\n").sort();
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const text of blocks("js")) {
    const name = /^\/\/ (\S+)/.exec(text)?.[1];
    if (name === undefined) throw new Error(`a program without a name: ${text.slice(0, 40)}`);
    writeFileSync(join(folder, name), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [tcp, threads] = blocks("sh").map((text) => text.trim().split("\n"));

test("the mean of four processes over TCP", async () => {
  shell(tcp[0]);
  // The ports of the page may be taken on this machine.
  const hosts = (await freePorts(4)).map((port) => `127.0.0.1:${port}`);
  writeFileSync(join(folder, "cluster/hosts.txt"), `${hosts.join("\n")}\n`);
  expect(shell(tcp[1])).toEqual([0, 1, 2, 3].map((rank) => `peer ${rank}: 1.500000 3.500000, 0 missed`));
});

test("the mean of four threads", () => {
  expect(shell(threads[0])).toEqual(["1.500000 1.500000 1.500000 1.500000"]);
});
