/** The package as it is installed: its files and nothing of the workspace around them. */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { missing } from "./ranks.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "equitopo-mpi-installed-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `files` of package.json names, without what was built here. */
function install(name: string): string {
  const place = path.join(folder, name, "node_modules/@equitopo/mpi");
  const { files } = JSON.parse(readFileSync(here("../package.json"), "utf8")) as { files: string[] };
  const left = files.filter((file) => file.startsWith("!dist/native")).length;
  expect(left).toBe(1);
  for (const file of ["package.json", ...files.filter((one) => !one.startsWith("!"))]) {
    cpSync(here(`../${file}`), path.join(place, file), { recursive: true });
  }
  rmSync(path.join(place, "dist/native"), { recursive: true, force: true });
  mkdirSync(path.join(folder, name, "node_modules"), { recursive: true });
  symlinkSync(here("../../equitopo"), path.join(folder, name, "node_modules/equitopo"));
  return place;
}

function load(place: string, env: Record<string, string>) {
  const script = `import { loadAddon } from ${JSON.stringify(path.join(place, "dist/internal.js"))};
    process.stdout.write(JSON.stringify(Object.keys(loadAddon().library)));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    ...{ encoding: "utf8", env: { ...process.env, ...env } },
  });
}

describe("an installed @equitopo/mpi", () => {
  it("says what is missing, and names a command that exists", () => {
    const place = install("without");
    const { status, stderr } = load(place, { CC: "/nowhere/cc" });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/MpiError: the MPI addon is not built/);
    const command = /then: node (\S+)/.exec(stderr)?.[1] as string;
    expect(existsSync(command)).toBe(true);
    expect(stderr).toContain("there is no C compiler (/nowhere/cc)");
  });

  it.runIf(missing === undefined)("builds its addon at its first use", () => {
    const place = install("with");
    const { stdout, stderr } = load(place, {});
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(["version", "mpich", "ulfm"]);
    expect(existsSync(path.join(place, "dist/native/equitopo-mpi.node"))).toBe(true);
  });
});
