/**
 * Finds the examples of the whole repository and turns what they claim into checks: every fenced block marked ts in the
 * Markdown pages and in doc comments, every line `expression // => value` in it.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

export interface Example {
  /** Relative to the repository. */
  readonly file: string;
  /** Of the first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  /** Marked `ts no-run`: only its types are checked. */
  readonly run: boolean;
}

/** Every example under the repository's root: pages first, then doc comments. */
export function findExamples(root: string): Example[] {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const pages = [
    ...[root, ...packages, join(root, "experiments")].flatMap((folder) =>
      ["README.md", "CONTRIBUTING.md"].map((name) => join(folder, name)),
    ),
    ...filesUnder(join(root, "docs"), ".md"),
  ].filter((path) => existsSync(path));
  const sources = packages.flatMap((folder) => filesUnder(join(folder, "src"), ".ts"));
  return [...pages, ...sources].flatMap((path) => extract(readFileSync(path, "utf8"), relative(root, path)));
}

function filesUnder(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The blocks of one file; in TypeScript, those behind the ` * ` of a doc comment. */
export function extract(text: string, file: string): Example[] {
  const margin = file.endsWith(".md") ? /^\s*/ : /^\s*\* ?/;
  const examples: Example[] = [];
  let open: { line: number; indent: string; run: boolean; code: string[] } | undefined;
  text.split("\n").forEach((whole, index) => {
    const indent = margin.exec(whole)?.[0];
    const content = indent === undefined ? undefined : whole.slice(indent.length).trimEnd();
    if (open === undefined) {
      const [, language, marks] = /^```(\w+)\s*(.*)$/.exec(content ?? "") ?? [];
      if (language !== "ts") return;
      open = { line: index + 2, indent: indent ?? "", run: !marks.split(/\s+/).includes("no-run"), code: [] };
    } else if (content === "```") {
      examples.push({ file, line: open.line, code: `${open.code.join("\n")}\n`, run: open.run });
      open = undefined;
    } else open.code.push(whole.slice(Math.min(open.indent.length, indent?.length ?? 0)));
  });
  if (open !== undefined) throw new Error(`${file}:${open.line - 1}: a block of code without an end`);
  return examples;
}

const CLAIM = /\/\/ => (.+)$/;

/**
 * The example as a module that throws where a claim is false. A claim follows an expression, `console.log(expression)`
 * or `const name = ...`; anywhere else it could not be checked, and is an error.
 */
export function withChecks({ file, line, code }: Example): string {
  // Without its semicolon an expression would run on into a next line that begins with a bracket.
  const text = code.replace(/(?<![;\s])(\s*\/\/ => )/g, ";$1");
  const source = ts.createSourceFile("example.mts", text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const claimed = new Set(lines.flatMap((content, index) => (CLAIM.test(content) ? [index] : [])));
  const edits: { start: number; end: number; text: string }[] = [];
  for (const statement of source.statements) {
    const { line: last } = source.getLineAndCharacterOfPosition(statement.end);
    const value = CLAIM.exec(lines[last])?.[1];
    const subject = claimSubject(statement);
    if (value === undefined || subject === undefined || !claimed.delete(last)) continue;
    const where = JSON.stringify(`${file}:${line + last}`);
    const check = (expression: string) => `__check(${expression}, (${value}), ${where});`;
    const start = statement.getStart();
    const edit = ts.isVariableStatement(statement)
      ? { start, end: statement.end, text: `${statement.getText()} ${check(subject)}` }
      : { start, end: statement.end, text: check(subject) };
    edits.push(edit);
  }
  for (const index of claimed) {
    throw new Error(`${file}:${line + index}: "// =>" must follow an expression statement at the top of the block`);
  }
  const edited = edits.reduceRight((sum, edit) => sum.slice(0, edit.start) + edit.text + sum.slice(edit.end), text);
  return `import { isDeepStrictEqual as __same, inspect as __show } from "node:util";
const __check = (actual: unknown, expected: unknown, where: string): void => {
  if (!__same(actual, expected)) throw new Error(\`\${where}: \${__show(actual)} is not \${__show(expected)}\`);
};
${edited}`;
}

/** The expression that a claim behind this statement is about. */
function claimSubject(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) {
    const [declaration] = statement.declarationList.declarations;
    return ts.isIdentifier(declaration.name) ? declaration.name.text : undefined;
  }
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  const logged = ts.isCallExpression(expression) && expression.expression.getText() === "console.log";
  if (!logged) return expression.getText();
  return expression.arguments.length === 1 ? expression.arguments[0].getText() : undefined;
}

/** The JavaScript of a checked example. */
export function transpile(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(code, { compilerOptions, fileName: "example.mts" }).outputText;
}

/** What is wrong with the types of these files, one line each. */
export function typeErrors(files: readonly string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    lib: ["lib.es2023.d.ts"],
    types: [],
    ...options,
  });
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
    if (diagnostic.file === undefined) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return `${diagnostic.file.fileName}:${line + 1}: ${message}`;
  });
}
