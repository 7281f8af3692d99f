/**
 * `npm run mutants`: makes each small change of the list (list/) in a copy of the library, runs the tests that are to notice it,
 * and prints those that none notices. The working tree is never written to, so that nothing is left behind however it ends.
 *
 *   npm run mutants                     all of them: minutes
 *   npm run mutants -- rate design      those whose file has one of these words in its path
 *   npm run mutants -- --workers 1      one at a time (two otherwise)
 */

import { fork } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mutants, survivors } from "./list.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const library = "packages/equitopo";
/** Milliseconds: a change that makes a loop endless is noticed by its tests taking longer. */
const PATIENCE = 60_000;

const words = process.argv.slice(2);
const at = words.indexOf("--workers");
const workers = at < 0 ? 2 : Number(words.splice(at, 2)[1]);
const asked = mutants.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));

const home = mkdtempSync(join(tmpdir(), "equitopo-mutants-"));
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
const print = (text) => process.stdout.write(`${text}\n`);

/** A process in a copy of the library; a fresh copy each time. */
function start(name) {
  const folder = join(home, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, library), { recursive: true });
  for (const part of ["src", "test", "package.json", "tsconfig.json"]) {
    cpSync(join(root, library, part), join(folder, library, part), { recursive: true });
  }
  for (const part of ["docs", "package.json", "tsconfig.base.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // Resolved from here: the copy has no vitest of its own.
  const child = fork(fileURLToPath(new URL("try.mjs", import.meta.url)), { cwd: folder, stdio: "ignore" });
  running.add(child);
  child.on("exit", () => running.delete(child));
  return new Promise((resolve) => child.once("message", () => resolve(child)));
}

/** What came of a change; undefined if the process ended or took too long, which is noticed, too. */
function answerOf(child, change) {
  return new Promise((resolve) => {
    const end = (answer) => {
      clearTimeout(timer);
      child.off("message", end);
      child.off("exit", ended);
      resolve(answer);
    };
    const ended = () => end(undefined);
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    child.on("message", end);
    child.on("exit", ended);
    child.send(change);
  });
}

const begun = Date.now();
const queue = [...asked.entries()];
const alive = [];
const known = ({ file, what }) => survivors[`${file}: ${what}`];

/** Tests that fail without a change would notice everything: those of each change are tried before it, once. */
const sound = new Map();
function requireSound(child, { tests, only }) {
  const key = JSON.stringify([tests, only]);
  if (!sound.has(key)) sound.set(key, answerOf(child, { tests, only }));
  return sound.get(key).then((answer) => {
    if (answer?.failed.length === 0 && answer.ran > 0) return;
    print(`the tests must hold before anything is changed: ${answer?.failed.join(", ") || tests.join(", ")}`);
    process.exit(2);
  });
}

async function work(name) {
  let child = await start(name);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [k, mutant] = next;
    await requireSound(child, mutant);
    const answer = await answerOf(child, mutant);
    if (answer === undefined) child = await start(name);
    const lived = answer?.failed.length === 0;
    if (lived) alive.push(mutant);
    const seconds = Math.round((Date.now() - begun) / 1000);
    print(
      `${String(k + 1).padStart(4)} of ${asked.length}, ${seconds} s: ${lived ? "SURVIVED" : "noticed "} ${mutant.file}: ${mutant.what}`,
    );
  }
  child.kill();
}

await Promise.all(Array.from({ length: workers }, (_, w) => work(`copy-${w}`)));
print(`\n${alive.length} of ${asked.length} survived, in ${Math.round((Date.now() - begun) / 1000)} s`);
for (const mutant of alive) {
  print(
    `  ${mutant.file}: ${mutant.what}\n    - ${mutant.text}\n    + ${mutant.instead}\n    ${known(mutant) ?? "not known before"}`,
  );
}
process.exit(alive.every((mutant) => known(mutant) !== undefined) ? 0 : 1);
