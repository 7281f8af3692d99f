/**
 * npm run bench -- NAME... [--OPTION VALUE...]: one file a claim of speed, with its limit measured in the same run. Options
 * are handed to every bench that is named; each says in its head which it knows. Of the runner itself:
 *
 *   --json FILE      also write the figures, with the machine they are of
 *   --times K        run each bench so often (default: once; where figures are kept, what is quick three times)
 *   --against FILE   also compare with the figures of an earlier run; without names, the benches of that file
 *   --with FILE      with --against: compare these figures, and run nothing
 *   --readme FILE    make the README's table from a file of figures, and run nothing
 *
 * npm run bench -- readme measures what the README's table shows, in less than ten minutes, and writes both anew.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InputError } from "equitopo";
import type { Options } from "./bench.ts";
import { benches } from "./benches.ts";
import { comparisonText } from "./compare.ts";
import { thisMachine } from "./machine.ts";
import { shownBenches, withTable } from "./readme-table.ts";
import { type BenchRecord, Gathered, readRecord, recordText } from "./record.ts";

/** From the compiled file. */
const place = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const resultFile = place("bench/results/readme.json");

async function main(words: readonly string[]): Promise<void> {
  const names = words.filter((word, k) => !word.startsWith("--") && !words[k - 1]?.startsWith("--"));
  const { json, times, against, with: other, readme, ...options } = optionsOf(words);
  if (readme !== undefined) {
    writeReadme(readRecord(readme));
    return;
  }
  const before = against === undefined ? undefined : readRecord(against);
  if (before !== undefined && other !== undefined) {
    process.stdout.write(comparisonText(before, readRecord(other)));
    return;
  }
  const wanted = wantedBenches(names, options, before);
  if (json !== undefined) writeText(json, ""); // refuses what cannot be written before minutes are spent
  // Who keeps figures wants to know how much they scatter.
  const kept = json !== undefined || before !== undefined || names.includes("readme");
  const record = await measure(wanted, times === undefined ? (kept ? undefined : 1) : integer(times));
  if (json !== undefined) writeText(json, recordText(record));
  if (names.includes("readme")) {
    writeText(resultFile, recordText(record));
    writeReadme(record);
  }
  if (before !== undefined) process.stdout.write(`\n${comparisonText(before, record)}`);
}

function optionsOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.flatMap((word, k) => {
      if (!word.startsWith("--")) return [];
      const value = words[k + 1];
      if (value !== undefined && !value.startsWith("--")) return [[word.slice(2), value]];
      throw new InputError(`${word} needs a value`, "nothing", `write ${word} VALUE`);
    }),
  );
}

/** Names with their options; of an earlier file, what it holds. */
function wantedBenches(names: readonly string[], options: Options, before?: BenchRecord): Record<string, Options> {
  if (names.includes("readme")) return { ...shownBenches };
  const all = names.length > 0 || before === undefined ? names : before.figures.map(({ bench }) => bench);
  if (all.length === 0) throw unknown("none");
  for (const name of all) if (benches[name] === undefined) throw unknown(name);
  return Object.fromEntries(all.map((name) => [name, options]));
}

const unknown = (name: string) =>
  new InputError(`benches are ${Object.keys(benches).join(", ")}, and readme`, name, "npm run bench -- rate peers");

function integer(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InputError("--times must be a whole number of at least 1", text, "try --times 3");
}

/** One after another, and then again, so that a slow minute of the machine meets all of them. */
async function measure(wanted: Readonly<Record<string, Options>>, times?: number): Promise<BenchRecord> {
  const gathered = new Gathered();
  const passes = (name: string) => times ?? benches[name].times;
  const most = Math.max(...Object.keys(wanted).map(passes));
  for (let pass = 1; pass <= most; pass++) {
    for (const [name, options] of Object.entries(wanted)) {
      if (pass > passes(name)) continue;
      if (most > 1 || Object.keys(wanted).length > 1) console.log(`\n${name}, run ${pass} of ${passes(name)}`);
      try {
        await (await benches[name].load()).default(options, gathered.of(name));
      } catch (error) {
        // What a machine cannot do costs the figures of the others nothing.
        if (Object.keys(wanted).length === 1) throw error;
        const [reason] = String((error as Error).message).split("\n");
        console.error(`${name} did not run: ${reason}`);
        gathered.of(name).missing(name, reason);
      }
    }
  }
  return gathered.record(thisMachine());
}

function writeReadme(record: BenchRecord): void {
  const path = place("README.md");
  writeText(path, withTable(readFileSync(path, "utf8"), record));
  console.log("README.md: the table is made anew");
}

function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text, text === "" ? { flag: "a" } : {});
  } catch (error) {
    throw new InputError("the file must be writable", (error as Error).message, "check that its folder exists");
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
}
