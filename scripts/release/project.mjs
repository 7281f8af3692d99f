/** An empty project outside the repository, with nothing in it but the packed packages: where the tour is taken. */

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Makes the project and installs the tarballs into it; gives its folder. */
export async function installedProject(tarballs) {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-release-"));
  // Packages ask for each other by version, which no registry has yet: the tarballs stand in for them all.
  const dependencies = Object.fromEntries(tarballs.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = { name: "empty-project", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const flags = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", flags, { cwd: folder, shell: process.platform === "win32" });
  return folder;
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
    ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 },
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
