// The passes over rows as WGSL, from the functions that define them (equitopo's src/algorithm/rows.ts): those that do the same
// at every place k of their rows. Written to src/shader/passes.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
const loop = /for \(let k = 0; k < \w+\.length; k\+\+\) /;

const entries = [
  ...read("../../equitopo/src/algorithm/rows.ts").matchAll(/^export function (\w+)\((.*?)\): void \{\n(.*?)^\}/gms),
].flatMap(([, name, parameters, body]) => {
  const wgsl = body
    .replace(/(\w+)\.set\((\w+)\)/, "$1 = $2")
    .replace(loop, "")
    .replaceAll("[k]", "")
    .replaceAll("const ", "let ")
    .replaceAll("Math.", "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (/\bfor\b|\[/.test(wgsl)) return [];
  const rows = [...parameters.matchAll(/(\w+): Rows/g)].map(([, row]) => row);
  const written = rows.filter((row) => new RegExp(`\\b${row} [-+]?= `).test(wgsl));
  const [, among = ""] = /\{([^}]+)\}: Readonly/.exec(parameters) ?? [];
  const numbers = [...parameters.matchAll(/(\w+): number/g)].map(([, number]) => number);
  return [{ name, rows, written, numbers: [...numbers, ...(among.match(/\w+/g) ?? [])], code: wgsl }];
});

const lines = entries.map(({ name, ...pass }) => `  ${name}: ${JSON.stringify(pass)},\n`);
writeFileSync(
  fileURLToPath(new URL("../src/shader/passes.ts", import.meta.url)),
  `// Written by scripts/build-passes.mjs from equitopo's src/algorithm/rows.ts.
export const passes = {
${lines.join("")}} as const;
`,
);
