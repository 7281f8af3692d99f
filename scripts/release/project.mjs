/** An empty project outside the repository, with nothing in it but the packed packages: where the tour is taken. */

import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { registryTrouble } from "./registry.mjs";

const run = promisify(execFile);

/**
 * Installs the tarballs into an empty folder; gives a remark. Where the registry does not answer, packages of others are
 * copied from the workspace at `root`, which has the versions of its lock file.
 */
export async function install(tarballs, folder, root) {
  // Packages ask for each other by version, which no registry has yet: the tarballs stand in for them all.
  const dependencies = Object.fromEntries(tarballs.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = { name: "empty-project", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const trouble = await registryTrouble();
  if (trouble !== undefined) {
    await installByHand(tarballs, folder, root);
    return `WITHOUT the registry: ${trouble}; packages of others are the workspace's`;
  }
  const flags = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  await run("npm", flags, { cwd: folder, shell: process.platform === "win32" });
  return "by npm";
}

async function installByHand(tarballs, folder, root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const [path, { dev, link }] of Object.entries(packages)) {
    const isOfOthers = path.startsWith("node_modules/") && !dev && !link;
    if (isOfOthers && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const { name, tarball } of tarballs) {
    const place = join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", place, "--strip-components=1"]);
  }
}

/** Takes one step of the tour; gives what is wrong, or nothing. */
export async function takeStep(folder, step) {
  if (step.kind === "file") {
    writeFileSync(join(folder, step.name), step.text);
    return undefined;
  }
  if (step.kind === "install") return installTrouble(folder, step.line);
  const { code, stdout, stderr } = await equitopo(folder, step.line, step.kind === "stays");
  const told = `exit code ${code}, ${(stderr.trim() || stdout.trim()).split("\n").at(-1)}`;
  switch (step.kind) {
    case "run":
      return code === 0 ? undefined : told;
    case "stays":
      return /https?:\/\/\S+/.test(stdout + stderr) ? undefined : `no address; ${told}`;
    case "data":
      return code === 2 && /got "DIR/.test(stderr) ? undefined : told;
  }
}

/** The packages that a line installs are those that are there. */
function installTrouble(folder, line) {
  const name = line.split(" ").at(-1);
  try {
    JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  } catch {
    return `${basename(folder)} has no ${name}`;
  }
}

/** The installed command, as npx finds it. One that stays up is interrupted once it has printed an address. */
function equitopo(folder, line, staysUp) {
  const bin = join(folder, "node_modules", "@equitopo", "cli", "bin", "equitopo.js");
  // At any free port: another studio may be open on this machine.
  const words = `${line}${line.startsWith("equitopo studio") ? " --port 0" : ""}`.split(" ").slice(1);
  const child = spawn(process.execPath, [bin, ...words], {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 },
  });
  const told = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      told[name] += text;
      if (staysUp && /https?:\/\/\S+\s/.test(told[name])) child.kill("SIGINT");
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? signal, ...told }));
  });
}
