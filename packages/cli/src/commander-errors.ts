/** Commander's errors, worded like all errors here: the rule, the value and the remedy, in one line. */

import { nearest } from "equitopo/internal/input";
import { commands } from "./commands.ts";

/** `args` are the words of the command line. */
export function inOurWords(text: string, args: readonly string[]): string {
  const command = args[0]?.startsWith("-") ? "" : (args[0] ?? "");
  const see = `see equitopo help ${command}`.trim();
  const message = text.trim();
  for (const [pattern, words] of rules) {
    const found = pattern.exec(message);
    if (found !== null) return `error: ${words(found.slice(1), see)}\n`;
  }
  return text;
}

const rules: readonly (readonly [RegExp, (found: readonly string[], see: string) => string])[] = [
  // Its suggestion is on a second line, in brackets.
  [
    /^error: unknown option '(.*)'(?:\n\(Did you mean (.*)\?\))?$/,
    ([flag, near], see) => {
      const remedy = near === undefined ? see : `did you mean ${near}?`;
      return `${see.split(" ")[3] ?? "equitopo"} takes only its own options, got ${JSON.stringify(flag)}; ${remedy}`;
    },
  ],
  [
    /^error: unknown command '(.*)'(?:\n\(Did you mean (.*)\?\))?$/,
    ([word, near]) => {
      const remedy = near === undefined ? "see equitopo help" : `did you mean ${near}?`;
      const names = commands.map(({ name }) => name).join(", ");
      return `the command must be one of ${names}, got ${JSON.stringify(word)}; ${remedy}`;
    },
  ],
  [/^error: (.*?)\.?\n\(Did you mean (.*)\?\)$/s, ([what, near]) => `${what}; did you mean ${near}?`],
  [
    /^error: missing required argument '(.*)'$/,
    ([name], see) => `${see.split(" ")[3]} needs a word for ${name}, got nothing; ${see}`,
  ],
  [/^error: required option '(.*)' not specified$/, ([flag], see) => `${flag} must be given, got nothing; ${see}`],
  [
    /^error: option '(--\S+) (.*)' argument missing$/,
    ([flag, value]) => `${flag} needs a value, got nothing; write ${flag} ${value}`,
  ],
  [
    /^error: option '(--\S+) .*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
    ([flag, value, choices]) => {
      const near = nearest(value, choices.split(", "));
      const remedy = near === undefined ? "choose one of them" : `did you mean ${near}?`;
      return `${flag} must be one of ${choices}, got ${JSON.stringify(value)}; ${remedy}`;
    },
  ],
  [
    /^error: option '(--\S+).*' cannot be used with option '(--\S+).*'$/,
    ([flag, other]) => `${flag} is another form of what ${other} prints, got both; leave out one`,
  ],
  [
    /^error: too many arguments(?: for '(.*)')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    ([name, most, count], see) => {
      const words = most === "0" ? "no words" : `at most ${most} word${most === "1" ? "" : "s"}`;
      return `${name ?? "equitopo"} takes ${words} beside its options, got ${count}; ${see}`;
    },
  ],
];
