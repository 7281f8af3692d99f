/**
 * Writes the table of docs/spec.md that says which driver has which feature, from the declarations of the drivers
 * (packages/equitopo/src/run/features). A test holds the page against it: node scripts/docs/features.mjs writes it anew.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { features, featureTable } from "../../packages/equitopo/dist/run/index.js";

const page = new URL("../../docs/spec.md", import.meta.url);
const block = /(<!-- features -->\n).*(<!-- end of features -->)/s;

/** The block of the page as the declarations want it. */
export function featuresBlock() {
  const { features: names, drivers, pairs } = featureTable();
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const columns = drivers.map(({ name }) => `\`${name}\``);
  const together = new Map();
  for (const { driver, a, b, reason } of pairs) {
    const words = `\`${a}\` with \`${b}\`: ${reason}`;
    together.set(words, [...(together.get(words) ?? []), driver]);
  }
  return [
    row(["feature", "what it is", ...columns]),
    row(["---", "---", ...columns.map(() => "---")]),
    ...names.map((name) =>
      row([
        `\`${name}\``,
        features[name][0],
        ...drivers.map((driver) => (driver.features[name] === true ? "yes" : "-")),
      ]),
    ),
    "",
    "Not together:",
    "",
    ...[...together].map(([words, list]) => `- ${words} (${list.join(", ")})`),
    "",
  ].join("\n");
}

/** The page with its block written anew. */
export function withFeatures(text) {
  return text.replace(block, (_, begin, end) => `${begin}\n${featuresBlock()}\n${end}`);
}

export const specPage = () => readFileSync(page, "utf8");

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, withFeatures(specPage()));
