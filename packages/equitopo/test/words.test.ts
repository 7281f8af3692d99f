/** One meaning a word, one word a meaning: searches sources and file names for what the last section of the glossary bans. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What the project's people read: sources, studies, benches, and the pages but for the results that programs wrote. */
const files = execFileSync("git", ["ls-files", "packages/*/src/*", "experiments", "bench", "docs", "*.md"], {
  cwd: root,
})
  .toString()
  .split("\n")
  .filter((path) => /\.(ts|tsx|c|md)$/.test(path) && !/^docs\/results\/|^CHANGELOG|\/assembly\//.test(path));

/** The banned words, each as the glossary writes it, and where it may not be. */
const banned: readonly { readonly word: string; readonly pattern: RegExp; readonly within?: RegExp }[] = [
  { word: "told", pattern: /\btold\b(?! apart)/gi },
  { word: "stands", pattern: /\bstands\b(?! (for|still))/gi },
  {
    word: "lost",
    pattern:
      /\b(lose|loses|losing|lost) (\w+ )?(messages?|vectors?|letters?|votes?)\b|\b(messages?|vectors?|letters?|votes?)( that)? (is|are|was|were|get|gets|got) lost\b|\bisLost\b/gi,
  },
  { word: "learners", pattern: /\blearners?\b/gi, within: /^packages\/studio\/src\/(?!view\/view\.ts)/ },
  { word: "who comes late", pattern: /\bwho (comes?|came) late\b/gi },
  { word: "by nobody's", pattern: /\bby nobody's\b/gi },
];

/** File names say what a file holds; these said what had happened to it. */
const participles =
  /\/(told|remembered|gathered|evaluated|shown|measured|shifted|turned|hearing|standing|waiting|computed)\.tsx?$/;

const glossary = read("docs/glossary.md");
const notUsed = glossary.slice(glossary.indexOf("\n## Not used"));

describe("words that are not used", () => {
  test.each(banned.map((one) => [one.word, one] as const))("%s", (word, { pattern, within }) => {
    expect(notUsed, "the glossary says what is written in its place").toContain(`| **${word}** |`);
    const found = files
      // The glossary has to name what it bans, and `internal` keeps old names.
      .filter(
        (path) =>
          path !== "docs/glossary.md" && !path.includes("/internal") && (within === undefined || within.test(path)),
      )
      .flatMap((path) => {
        const text = read(path);
        return [...text.matchAll(pattern)].map(
          ({ index }) => `${path}:${text.slice(0, index).split("\n").length}: ${text.slice(index - 40, index + 40)}`,
        );
      });
    expect(found).toEqual([]);
  });

  test("file names", () => {
    expect(files.filter((path) => participles.test(path))).toEqual([]);
  });

  test("the search finds what it is to find", () => {
    const hits = (text: string) => banned.filter(({ pattern }) => text.match(pattern)).map(({ word }) => word);
    expect(hits("a peer is told that two messages were lost")).toEqual(["told", "lost"]);
    expect(hits("a seed stands for the start; a member that loses its link")).toEqual([]);
  });
});
