/**
 * One copy of the library, in which one change at a time is made and tried: a process of run.mjs, which sends a change and is
 * answered whether the tests held. Vitest stays, so that only what was changed is read again.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";

const library = "packages/equitopo";
const folder = process.cwd();

/** The library by its name, as some tests import it: the sources of this copy, in which nothing is compiled. */
const { exports } = JSON.parse(readFileSync(join(folder, library, "package.json"), "utf8"));
const alias = Object.entries(exports)
  .filter(([, { default: file }]) => file !== undefined)
  .map(([door, { default: file }]) => ({
    find: new RegExp(`^equitopo${door.slice(1)}$`),
    replacement: join(folder, library, file.replace("dist", "src").replace(/js$/, "ts")),
  }));

const options = {
  ...{ root: folder, config: false, watch: false, reporters: [{}], include: [`${library}/test/**/*.test.ts`] },
  ...{ testTimeout: 60_000, maxWorkers: 1, fileParallelism: false, cache: false },
  // Threads end with this process, whatever loop they are in.
  pool: "threads",
};
const vitest = await createVitest("test", options, { resolve: { alias } });

/** What failed first of these files, in their order; of their tests whose names match, where a pattern is given. */
async function failures(tests, only) {
  if (only === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(only);
  const all = await vitest.globTestSpecifications();
  let ran = 0;
  for (const test of tests) {
    const spec = all.find(({ moduleId }) => moduleId === join(folder, library, "test", test));
    if (spec === undefined) continue;
    ran++;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([spec]);
    const failed = testModules
      // Those of earlier runs are among them.
      .filter((module) => module.moduleId === spec.moduleId && !module.ok())
      .flatMap((module) => [
        ...module.errors().map(({ message }) => `${test}: ${message}`),
        ...[...module.children.allTests("failed")].map(({ fullName }) => `${test}: ${fullName}`),
      ]);
    if (failed.length + unhandledErrors.length > 0) return { ran, failed: [...failed, ...unhandledErrors.map(String)] };
  }
  return { ran, failed: [] };
}

process.on("message", async ({ tests, only, file, text, instead }) => {
  if (file === undefined) {
    process.send(await failures(tests, only));
    return;
  }
  const path = join(folder, library, "src", file);
  const before = readFileSync(path, "utf8");
  const parts = before.split(text);
  if (parts.length !== 2) throw new Error(`${file} must have once: ${text}`);
  const write = (content) => {
    writeFileSync(path, content);
    vitest.invalidateFile(path);
  };
  write(parts.join(instead));
  const found = await failures(tests, only);
  write(before);
  process.send(found);
});
process.send("ready");
