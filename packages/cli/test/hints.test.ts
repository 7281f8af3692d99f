/**
 * Nothing that an installed user is told leads to a file that is not packed or to a script of the repository: the texts in
 * the programs (errors, remedies, help) and the packages' READMEs name guides, examples and commands that exist.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { packedTexts } from "../src/command/text/packed-text.ts";
import { commands } from "../src/commands.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folders = [
  ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)),
  `${root}experiments`,
];
const ofTheRepository =
  /npm (run|ci|start|test)\b|\b(docs|examples|packages|bench|experiments)\/\w|CONTRIBUTING|\bREADME/;
const named = /equitopo (guide|example) ([a-z][\w-]*)/g;

/** Texts in a program: literals and the pieces of templates, but not what is imported. */
function texts(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return found;
}

const sources = folders.flatMap((folder) => {
  const place = existsSync(join(folder, "src")) ? join(folder, "src") : folder;
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter(({ name, parentPath }) => /(?<!\.d)\.tsx?$/.test(name) && !/node_modules|dist|assembly/.test(parentPath))
    .map(({ name, parentPath }) => join(parentPath, name));
});
const readmes = folders.map((folder) => join(folder, "README.md"));

describe("what an installed user is told", () => {
  it("names nothing that only the repository has", () => {
    expect(sources.length).toBeGreaterThan(500);
    // Only files that could hold such a thing are parsed; their comments are for readers of the repository.
    const suspects = sources.filter((file) => ofTheRepository.test(readFileSync(file, "utf8")));
    const found = suspects.flatMap((file) =>
      texts(file)
        .filter((text) => ofTheRepository.test(text))
        .map((text) => `${relative(root, file)}: ${text.slice(0, 200)}`),
    );
    expect(found).toEqual([]);
    for (const file of readmes) expect(readFileSync(file, "utf8"), file).not.toMatch(ofTheRepository);
  });

  it("names guides and examples that are packed", () => {
    const known = new Set(
      (["guide", "example"] as const).flatMap((kind) => packedTexts(kind).map(({ name }) => `${kind} ${name}`)),
    );
    const files = [...sources, ...readmes, join(root, "README.md")];
    const mentions = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(named)]);
    expect(mentions.length).toBeGreaterThan(10);
    for (const [, kind, name] of mentions) expect(known).toContain(`${kind} ${name}`);
  });

  it("names commands that exist", () => {
    const names = commands.map(({ name }) => name);
    for (const file of readmes) {
      for (const [, name] of readFileSync(file, "utf8").matchAll(/`(?:npx )?equitopo ([a-z]+)/g)) {
        expect(names).toContain(name);
      }
    }
  });
});
