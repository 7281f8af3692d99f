/** Every relative link of every Markdown file leads to a file and a heading that are there, and every guide is on the site. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { guides } from "../../../../scripts/docs/guides.mjs";
import { brokenLinks, filesUnder, markdownFiles, readHtml, readMarkdown } from "./links.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("no link of a Markdown file is broken", () => {
  const files = markdownFiles(root);
  expect(files.length).toBeGreaterThan(25);
  expect(brokenLinks(files, readMarkdown, root)).toEqual([]);
});

describe("the guides of the site", () => {
  const pages = guides.flatMap((group) => group.pages);

  test("are all there, each once, and all pages of docs/ are among them", () => {
    expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
    expect(new Set(pages).size).toBe(pages.length);
    const inDocs = filesUnder(join(root, "docs"), ".md").map((file) => relative(root, file).replaceAll("\\", "/"));
    expect(inDocs.filter((page) => page !== "docs/README.md" && !pages.includes(page))).toEqual([]);
  });

  test.each(pages)("%s opens with its title", (page) => {
    expect(readFileSync(join(root, page), "utf8")).toMatch(/^# \S/);
  });
});

describe("the checks themselves", () => {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-links-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "picture.svg"), "");

  test("Markdown: files, folders, headings, pictures and code", () => {
    const a = join(folder, "a.md");
    writeFileSync(join(folder, "in/b.md"), "# One & two\n\n## One & two\n\n## With `code` [link](../a.md)\n");
    writeFileSync(
      a,
      "[1](in/b.md#one--two) [2](in/b.md#one--two-1) [3](in/b.md#with-code-link) ![4](picture.svg) `[5](x.md)`\n" +
        "[6](https://example.org/x) [7](in)\n\n```md\n[8](y.md)\n```\n\n[9](z.md) [10](in/b.md#three) [11](#none) [12](../..)\n",
    );
    expect(brokenLinks([a], readMarkdown, folder)).toEqual([
      "a.md: z.md",
      "a.md: in/b.md#three",
      "a.md: #none",
      "a.md: ../..",
    ]);
  });

  test("HTML: ids, encoded addresses and what is loaded", () => {
    const file = join(folder, "c.html");
    writeFileSync(
      file,
      '<p id="a&amp;b"><a href="#a%26b"></a><a href="c.html#no"></a><img src="picture.svg"><script src="gone.js"></script>',
    );
    expect(brokenLinks([file], readHtml, folder)).toEqual(["c.html: c.html#no", "c.html: gone.js"]);
  });
});
