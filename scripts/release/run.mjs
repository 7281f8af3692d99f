/**
 * `npm run release -- --dry-run`: everything that a release does but the publishing. It packs all public packages, looks into
 * the tarballs, installs them into an empty project outside the repository, takes the README's tour there line by line, and
 * opens a page bundled there in Chromium, which must compute what Node computes. It builds the Python package, offline, and
 * tries it in a fresh environment. Without --dry-run it then publishes, in the order of dependencies, the Python package last.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { answerInChromium } from "../runtimes/page.mjs";
import { pack, removeStale, tarballTroubles } from "./pack.mjs";
import { publicPackages, versionTroubles } from "./packages.mjs";
import { install, takeStep } from "./project.mjs";
import { buildPython, pythonFolder, pythonThat, pythonTroubles, tryPython } from "./python.mjs";
import { registryTrouble } from "./registry.mjs";
import { tourSteps } from "./tour.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean" },
    json: { type: "boolean" },
    quiet: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  process.stdout.write(`npm run release -- [--dry-run] [--json] [--quiet]

Packs and tries all packages as an installed user would have them; without --dry-run also publishes them, from a clean
checkout and by somebody who is logged in to npm. Exit code 1 where anything is wrong; then nothing is published.
`);
  process.exit();
}

const done = [];
const folders = [];

/** Does one thing and writes down how it went; `work` gives a remark, or throws. */
async function step(what, work) {
  if (!values.quiet && process.stderr.isTTY) process.stderr.write(`${what} ...\n`);
  const begun = performance.now();
  let remark;
  let ok = true;
  try {
    remark = await work();
  } catch (error) {
    [ok, remark] = [false, error.message];
  }
  done.push({ what, ok, seconds: Math.round((performance.now() - begun) / 100) / 10, remark: remark ?? "" });
  return ok;
}

/** Throws where there is something wrong. */
function refuse(troubles) {
  if (troubles.length > 0) throw new Error(troubles.join("; "));
}

const packages = publicPackages(root);
const [{ version }] = packages;
let tarballs = [];
let project;

try {
  await step("versions agree", () => {
    const python = JSON.parse(readFileSync(join(root, pythonFolder, "package.json"), "utf8"));
    refuse(versionTroubles([...packages, python]));
    return `${packages.length} packages and Python's, ${version}`;
  });
  const ready = values["dry-run"] || (await step("ready to publish", readyToPublish));
  const packed =
    ready &&
    (await step("packed", async () => {
      const place = temporary("equitopo-tarballs-");
      const stale = removeStale(root, packages);
      tarballs = await pack(root, packages, place);
      return `${stale === 0 ? "" : `${stale} stale files removed from dist; `}${(tarballs.reduce((sum, { size }) => sum + size, 0) / 1e6).toFixed(1)} MB`;
    }));
  if (packed) {
    await step("tarballs are whole", async () => {
      refuse((await Promise.all(tarballs.map(tarballTroubles))).flat());
      return "README, licence, sources of the source maps, publint";
    });
    await step("installed into an empty project", async () => {
      const folder = temporary("equitopo-project-");
      const remark = await install(tarballs, folder, root);
      project = folder;
      return remark;
    });
  }
  if (project !== undefined) {
    for (const one of tourSteps(readFileSync(join(root, "README.md"), "utf8"))) {
      await step(one.line ?? `write ${one.name}`, async () => {
        const trouble = await takeStep(project, one);
        if (trouble !== undefined) throw new Error(trouble);
        return { stays: "its address printed, then interrupted", data: "refused without the data" }[one.kind];
      });
    }
    await step("a bundled page in Chromium computes what Node does", samePage);
  }
  const wheel = packed ? await pythonPackage() : undefined;
  if (!values["dry-run"] && done.every(({ ok }) => ok)) {
    for (const { name, tarball } of tarballs) {
      const published = await step(`published ${name}`, () => {
        execFileSync("npm", ["publish", tarball, "--access", "public"], { stdio: "inherit" });
      });
      if (!published) break;
    }
    if (wheel !== undefined && done.every(({ ok }) => ok)) {
      await step("published equitopo for Python", () => {
        execFileSync("twine", ["upload", wheel.wheel, wheel.sdist], { stdio: "inherit" });
      });
    }
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

const good = done.every(({ ok }) => ok);
if (values.json)
  process.stdout.write(`${JSON.stringify({ version, dryRun: values["dry-run"] === true, good, done }, null, 1)}\n`);
else {
  for (const { what, ok, seconds, remark } of done) {
    process.stdout.write(
      `${ok ? "ok    " : "FAILED"}  ${seconds.toFixed(1).padStart(5)} s  ${what}${remark === "" ? "" : `: ${remark}`}\n`,
    );
  }
}
process.exitCode = good ? 0 : 1;

async function readyToPublish() {
  const say = (...words) =>
    execFileSync(words[0], words.slice(1), { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  const trouble = await registryTrouble();
  refuse([
    ...(say("git", "status", "--porcelain") === "" ? [] : ["the checkout has changes that are not committed"]),
    ...(trouble === undefined ? [] : [trouble]),
  ]);
  try {
    return `as ${say("npm", "whoami")}`;
  } catch {
    throw new Error("nobody is logged in to npm: npm login");
  }
}

/** Wheel and sdist, built and tried; undefined, with a remark or (of a release) an error, where no Python can build them. */
async function pythonPackage() {
  const builder = pythonThat("import build, hatchling");
  const tester = pythonThat("import sys, venv, ensurepip; assert sys.version_info >= (3, 9)");
  if (builder === undefined || tester === undefined) {
    const lacking = builder === undefined ? "the modules build and hatchling" : "the modules venv and ensurepip";
    await step("the Python package", () => {
      if (!values["dry-run"]) throw new Error(`no python3 has ${lacking}`);
      return `NOT RUN: no python3 has ${lacking}`;
    });
    return undefined;
  }
  let built;
  await step("the Python package is built offline", async () => {
    built = await buildPython(builder, root, temporary("equitopo-python-"), version);
    refuse(await pythonTroubles(builder, built));
    return "wheel and sdist";
  });
  if (built === undefined) return undefined;
  await step("the wheel in a fresh environment draws the library's rounds", async () =>
    tryPython(tester, built.wheel, temporary("equitopo-venv-"), await import("../../packages/equitopo/dist/index.js")),
  );
  return built;
}

async function samePage() {
  cpSync(new URL("../runtimes/same-bits.mjs", import.meta.url), join(project, "same-bits.mjs"));
  const here = await (await import(pathToFileURL(join(project, "same-bits.mjs")).href)).answer();
  const there = await answerInChromium(project, "same-bits.mjs");
  if (!isDeepStrictEqual(there.answer, here)) {
    throw new Error(`${JSON.stringify(there.answer)} is not Node's ${JSON.stringify(here)}`);
  }
  return `Chromium ${there.version}, ${Object.keys(here).length} answers`;
}

function temporary(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.push(folder);
  return folder;
}
