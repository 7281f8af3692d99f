/** The programs and commands of docs/start.md and docs/real-peers.md as they stand: run in a folder, what is shown held to what comes. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "@equitopo/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
// Inside the repository, where `import "equitopo"` finds the packages.
const folder = join(root, "node_modules/.cache/equitopo-guides");

/** The fenced blocks of a page in a language. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const found = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].flatMap(([, name, content]) => (name === language ? [content] : []));
}

/** Programs and specs by the name in their first line. */
function write(texts: readonly string[]): void {
  for (const text of texts) {
    const name = /^(?:\/\/|#) (\S+)/.exec(text)?.[1];
    if (name === undefined) throw new Error(`a program without a name: ${text.slice(0, 40)}`);
    writeFileSync(join(folder, name), text);
  }
}

/** The lines that a command prints. */
function shell(command: string): string[] {
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}` };
  const output = execFileSync("bash", ["-c", command], {
    ...{ cwd: folder, env, encoding: "utf8", timeout: 120_000 },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return output.trimEnd().split("\n");
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("docs/start.md: every command works, and prints what the page shows", { timeout: 240_000 }, () => {
  write(blocks("start.md", "yaml"));
  const lines = blocks("start.md", "sh").flatMap((text) => text.trim().split("\n"));
  // The first minute and real peers have tests of their own; npm would ask a registry.
  const commands = lines.filter((line) => /^npx equitopo (?!start$)(?!.* --transport )/.test(line));
  expect(commands.length).toBeGreaterThanOrEqual(6);
  // Columns are as wide as a run's numbers are long.
  const words = (line: string) => line.replace(/[\s-]+/g, " ").trim();
  const printed = new Set(commands.flatMap((command) => shell(command.replace(/^npx /, ""))).map(words));
  const shown = blocks("start.md", "text").flatMap((text) => text.trimEnd().split("\n").map(words));
  expect(shown.length).toBeGreaterThan(8);
  expect(shown.filter((line) => !printed.has(line))).toEqual([]);
});

test("docs/start.md: the program in TypeScript compiles as the page says in a folder made so, and runs", () => {
  const own = join(folder, "typescript");
  mkdirSync(own);
  write(blocks("start.md", "ts"));
  const lines = blocks("start.md", "sh").flatMap((text) => text.trim().split("\n"));
  // The first of npm's lines that makes the folder, and all behind the program's installation; npm would ask a registry.
  const made = lines.filter((line) => /^npm (init|pkg) /.test(line));
  const used = lines.filter((line) => /^(npx tsc|node )/.test(line));
  expect([made.length, used]).toEqual([2, ["npx tsc --init", "npx tsc", "node mine.js"]]);
  const commands = [...made, "mv ../mine.ts .", ...used.map((line) => line.replace(/^npx /, ""))];
  const printed = shell(`cd typescript && ${commands.map((line) => `${line} > out.txt`).join(" && ")} && cat out.txt`);
  const shown = [
    ...blocks("start.md", "ts")
      .join("")
      .matchAll(/\/\/ => (.+)/g),
  ].map(([, value]) => value);
  expect(printed).toEqual(shown);
});

describe("docs/real-peers.md", () => {
  const [tcp, threads] = blocks("real-peers.md", "sh").map((text) => text.trim().split("\n"));

  test("the mean of four processes over TCP", { timeout: 240_000 }, async () => {
    write(blocks("real-peers.md", "js"));
    shell(tcp[0]);
    // The ports of the page may be taken on this machine.
    const hosts = (await freePorts(4)).map((port) => `127.0.0.1:${port}`);
    writeFileSync(join(folder, "cluster/hosts.txt"), `${hosts.join("\n")}\n`);
    // Peers end when they like.
    expect(shell(tcp[1]).sort()).toEqual([0, 1, 2, 3].map((rank) => `peer ${rank}: 1.500000 3.500000, 0 missed`));
  });

  test("the mean of four threads", { timeout: 240_000 }, () => {
    expect(shell(threads[0])).toEqual(["1.500000 1.500000 1.500000 1.500000"]);
  });
});
