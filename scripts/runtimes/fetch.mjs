/**
 * Runtimes as npm packages that ship the binary: fetched once into node_modules/.cache, since they are too large to be
 * dependencies (about 100 MB each).
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { platform, arch } = process;

/** As the packages spell this machine; undefined where there is none for it. */
const machine = {
  node: `${{ linux: "linux", darwin: "darwin", win32: "win" }[platform]}-${arch}`,
  bun: `${{ linux: "linux", darwin: "darwin", win32: "windows" }[platform]}-${arch === "arm64" ? "aarch64" : arch}`,
  deno: `${{ linux: "linux", darwin: "darwin", win32: "win32" }[platform]}-${arch}${platform === "linux" ? "-glibc" : ""}`,
};

/** What the README names, each with the package that brings it and how it runs a program. */
export const runtimes = [
  ...[20, 22, 24].map((major) => ({
    ...{ name: `Node ${major}`, package: `node-${machine.node}`, range: String(major), binary: "bin/node", flags: [] },
  })),
  { name: "Bun", package: `@oven/bun-${machine.bun}`, range: "1", binary: "bin/bun", flags: [] },
  { name: "Deno", package: `@deno/${machine.deno}`, range: "2", binary: "deno", flags: ["run", "--allow-all"] },
];

/** The runtime's program, fetched where it is not there unless `offline`; throws where it cannot be had. */
export function fetchRuntime(cache, { name, package: from, range, binary }, offline) {
  const folder = join(cache, name.toLowerCase().replace(" ", "-"));
  const program = join(folder, "node_modules", from, platform === "win32" ? `${binary}.exe` : binary);
  if (existsSync(program)) return program;
  if (offline) throw new Error("it has not been fetched (npm run runtimes)");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["install", `${from}@${range}`, "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  // Nothing of the environment that npm itself sets for its scripts: it would install into the workspace.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
  execFileSync("npm", flags, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"], shell: platform === "win32" });
  if (!existsSync(program)) throw new Error(`${from} has no ${binary}`);
  return program;
}
