/**
 * Writes src/design/table-data.ts, the table of best designs: searches every row anew from a seed, and keeps what is better
 * than what the table has (by more than 1e-9). Run it again with other seeds to search on; stop it at any time.
 *
 *   npm run designs --workspace equitopo -- [--seed S] [--effort F] [--n 300,1000] [--degree 9] [--undirected | --directed]
 *     [--classes C] [--found FILE]
 *
 * --effort multiplies the chunks of evaluations that a row gets. Where there are at most C classes of supports (default
 * 2.9 million: up to three minutes) all of them are weighed instead, and the row is marked as proved. --found takes the shifts of a design from the
 * JSON that `equitopo design` prints, which searches on all cores, and searches nothing.
 */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readRow, tableRow } from "../dist/design/table.js";
import { circulantRate } from "../dist/index.js";
import { chunkSize, chunksOf, designOn, exhaust, isExhaustible, Search } from "../dist/internal/design.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "0" },
    classes: { type: "string", default: "2900000" },
    effort: { type: "string", default: "1" },
    n: { type: "string" },
    degree: { type: "string" },
    directed: { type: "boolean" },
    undirected: { type: "boolean" },
    found: { type: "string" },
  },
});
const small = Array.from({ length: 61 }, (_, k) => k + 4);
const sizes = [...small, 100, 128, 256, 300, 512, 1000, 1024, 4096, 4900, 10_000];
const wanted = (list, value) => list === undefined || list.split(",").map(Number).includes(value);
const file = new URL("../src/design/table-data.ts", import.meta.url);
const text = Object.fromEntries(
  [...readFileSync(file, "utf8").matchAll(/^ {2}(\d+): "(.*)",$/gm)].map(([, n, line]) => [n, line]),
);

const found = values.found === undefined ? undefined : JSON.parse(readFileSync(values.found, "utf8"));
if (found !== undefined) improve({ n: found.n, degree: found.shifts.length, directed: found.directed });

for (const n of found === undefined ? sizes.filter((size) => wanted(values.n, size)) : []) {
  for (const directed of [true, false]) {
    if (directed ? values.undirected : values.directed) continue;
    const most = Math.min(n - 1, Math.ceil(Math.log2(n)) + 2);
    for (let degree = 2; degree <= most; degree++) {
      const question = { n, degree, directed };
      if (!directed && degree % 2 === 1 && n % 2 === 1) continue;
      if (wanted(values.degree, degree)) improve(question);
    }
  }
}

function improve(question) {
  const { n, degree, directed } = question;
  const known = readRow(text[n] ?? "", question);
  const had = known === undefined ? 1 : circulantRate({ n, ...known }).rate;
  const proved = found === undefined && isExhaustible(question, Number(values.classes));
  if (known?.proved) return;
  const { shifts } = found === undefined ? (proved ? exhaust(question) : searched(question)) : columns(found);
  const design = designOn(question, shifts, proved);
  if (!(design.rate < had - 1e-9) && !proved) return;
  const row = tableRow(question, { ...design, proved });
  const head = row.slice(0, row.indexOf(":") + 1);
  const others = (text[n] ?? "").split(" ").filter((other) => other !== "" && !other.startsWith(head));
  text[n] = [...others, row].sort(byKindAndDegree).join(" ");
  write();
  const kind = directed ? "directed" : "undirected";
  console.log(`${n} ${kind} ${degree}: ${had.toFixed(6)} -> ${design.rate.toFixed(6)}${proved ? " proved" : ""}`);
}

function searched(question) {
  const { n } = question;
  const search = new Search(question);
  const size = chunkSize(question);
  const evaluations = Number(values.effort) * size * (n <= 64 ? 3 : n <= 300 ? 6 : n <= 1024 ? 4 : 1.5);
  let best;
  for (const { c, evaluations: some } of chunksOf(question, Math.ceil(evaluations))) {
    const found = search.chunk(Number(values.seed), c, some);
    if (best === undefined || found.rate < best.rate) best = found;
  }
  return best;
}

/** A design's shifts as the columns of its support: the own one, then n / 2 where it is among them, then one of each pair. */
function columns({ n, directed, shifts }) {
  const pairs = shifts.filter((u) => 2 * u <= n).sort((a, b) => b - a);
  return { shifts: [0, ...(directed ? shifts : pairs)] };
}

function byKindAndDegree(a, b) {
  return a[0] === b[0] ? Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10) : a < b ? -1 : 1;
}

function write() {
  const lines = Object.entries(text).map(([n, line]) => `  ${n}: "${line}",\n`);
  const data = `/** Written by \`npm run designs --workspace equitopo\`; see table.ts. */

export const tableText: Readonly<Record<number, string>> = {
${lines.join("")}};
`;
  const fresh = new URL("../src/design/table-data.ts.new", import.meta.url);
  writeFileSync(fresh, data);
  renameSync(fresh, file);
}
