/** When to record, evaluate and save is decided in run/course alone: no driver's file reads what a run says about it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const drivers = [
  ...["equitopo/src/run/simulate.ts", "equitopo/src/run/async/simulate.ts"],
  ...["equitopo/src/peer/course/one-run.ts", "equitopo/src/peer/course/async-run.ts"],
  ...["equitopo/src/peer/elastic/epoch-run.ts", "gpu/src/train/run.ts", "cli/src/peers/collector.ts"],
];

/** Comments, array methods, and the course's own questions and answers are no cadence. */
const withoutPlain = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\/\/.*$/gm, "")
    .replace(/\.every\(/g, "");

const cadence = [
  /\bevery\b/,
  /\b(options|run|spec|checkpoint|document)(\.|\?\.|\[")(evaluate|interval|every)\b/,
  /\bevaluate\s*\??:\s*number/,
  /% *(this\.)?#?(every|evaluate|interval)/,
];

test.each(drivers)("%s", (file) => {
  const text = withoutPlain(readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8"));
  for (const pattern of cadence) expect(text.match(pattern)?.[0]).toBeUndefined();
});
