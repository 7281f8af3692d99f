/**
 * `npm run runtimes`: the same runs on Node 20, 22 and 24, Bun, Deno and Chromium, which must all end in the same rows, to the
 * last bit. A runtime that cannot be had here is named loudly; one that computes something else is a failure.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { fetchRuntime, runtimes } from "./fetch.mjs";
import { answerInChromium } from "./page.mjs";

const { values } = parseArgs({
  options: Object.fromEntries(["json", "quiet", "help", "fetch", "offline"].map((name) => [name, { type: "boolean" }])),
});
if (values.help) {
  process.stdout.write(`npm run runtimes -- [--fetch | --offline] [--json] [--quiet]

Runs the same specs on several runtimes and compares the hashes of their final rows. --fetch takes the newest of each anew;
otherwise those that were fetched before serve; --offline fetches none. Exit code 1 where one of them computes something else.
`);
  process.exit();
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, "node_modules/.cache/equitopo-runtimes");
if (values.fetch) rmSync(cache, { recursive: true, force: true });
// A project with copies of what npm would install: not every runtime follows the links of a workspace.
const folder = mkdtempSync(join(tmpdir(), "equitopo-runtimes-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const [name, from] of [
  ["equitopo", "packages/equitopo"],
  ["@equitopo/nn", "packages/nn"],
]) {
  for (const part of ["package.json", "dist"]) {
    cpSync(join(root, from, part), join(folder, "node_modules", name, part), { recursive: true });
  }
}
cpSync(new URL("same-bits.mjs", import.meta.url), join(folder, "same-bits.mjs"));
const tell = `import { answer } from "./same-bits.mjs";
const version = globalThis.Bun?.version ?? globalThis.Deno?.version.deno ?? process.versions.node;
console.log(JSON.stringify({ version, answer: await answer() }));
`;
writeFileSync(join(folder, "tell.mjs"), tell);
writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');

const run = (program, flags) =>
  JSON.parse(
    execFileSync(program, [...flags, join(folder, "tell.mjs")], { cwd: folder, encoding: "utf8", stdio: "pipe" }),
  );

/** What a runtime answers, or why it does not. */
async function asked(name, ask) {
  if (!values.quiet && process.stderr.isTTY) process.stderr.write(`${name} ...\n`);
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, missing: error.message.split("\n").find((line) => line.trim() !== "") };
  }
}

const here = { name: "this Node", ...run(process.execPath, []) };
const others = [];
for (const runtime of runtimes) {
  others.push(await asked(runtime.name, () => run(fetchRuntime(cache, runtime, values.offline), runtime.flags)));
}
others.push(await asked("Chromium", () => answerInChromium(folder, "same-bits.mjs")));

const rows = [here, ...others].map(({ name, version, answer, missing }) => {
  const differs =
    answer === undefined
      ? []
      : Object.keys(here.answer).filter((key) => !isDeepStrictEqual(answer[key], here.answer[key]));
  return { name, version, missing, same: answer !== undefined && differs.length === 0, differs };
});
if (values.json) process.stdout.write(`${JSON.stringify({ answer: here.answer, runtimes: rows }, null, 1)}\n`);
else {
  for (const { name, version, missing, same, differs } of rows) {
    const verdict = same ? "the same bits" : missing === undefined ? `DIFFERS in ${differs.join(", ")}` : "NOT RUN";
    process.stdout.write(`${name.padEnd(10)} ${(version ?? "").padEnd(14)} ${verdict}\n`);
  }
  for (const [what, value] of Object.entries(here.answer))
    process.stdout.write(`  ${what.padEnd(20)} ${String(value).slice(0, 20)}\n`);
}
for (const { name, missing } of rows) {
  if (missing !== undefined) process.stderr.write(`NOT RUN: ${name} could not be had here: ${missing}\n`);
}
process.exitCode = rows.some(({ differs }) => differs.length > 0) ? 1 : 0;
