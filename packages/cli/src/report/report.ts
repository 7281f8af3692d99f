/**
 * A run as one HTML file to read: figures inline, tables, checks as expected against measured, what computed it, and
 * how to cite the paper. It loads nothing (its own content policy forbids it to), and is well-formed XML besides.
 * All text is escaped; figures come in as this program's own SVG.
 */

import { InputError } from "equitopo";
import { escapeText, readable } from "equitopo/picture";
import { behaviour, darkFigures, style } from "./style.ts";

export type Cell = string | number | boolean | null;

export interface Check {
  readonly name: string;
  readonly expected: Cell;
  readonly measured: Cell;
  readonly pass: boolean;
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "figure"; readonly name: string; readonly svg: string; readonly caption: string }
  | {
      readonly kind: "table";
      readonly caption?: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | { readonly kind: "checks"; readonly checks: readonly Check[] }
  | { readonly kind: "parameters"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "code"; readonly text: string };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export interface Report {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly Section[];
  /** What computed the results, e.g. a run folder's versions. */
  readonly versions?: Readonly<Record<string, unknown>>;
}

export const bibtex = `@inproceedings{song2022communication,
  title     = {Communication-Efficient Topologies for Decentralized Learning with {$O(1)$} Consensus Rate},
  author    = {Song, Zhuoqing and Li, Weijian and Jin, Kexin and Shi, Lei and Yan, Ming and Yin, Wotao and Yuan, Kun},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {35},
  year      = {2022}
}`;

/** The report as HTML text. Blank lines in a text block part its paragraphs. */
export function report({ title, lead, sections, versions }: Report): string {
  const closing: Section[] = [
    ...(versions ? [{ title: "Versions", blocks: [{ kind: "parameters", values: versions } as const] }] : []),
    { title: "Citing the paper", blocks: [{ kind: "code", text: bibtex }] },
  ];
  const all = [...sections, ...closing];
  const svgs = sections.flatMap((section) => section.blocks.flatMap((b) => (b.kind === "figure" ? [b.svg] : [])));
  const checks = sections.flatMap((section) => section.blocks.flatMap((b) => (b.kind === "checks" ? b.checks : [])));
  const links = all.map((section, i) => `<li><a href="#s${i + 1}">${escapeText(section.title)}</a></li>`);
  const body = all.map(
    (section, i) =>
      `<section id="s${i + 1}">\n<h2>${escapeText(section.title)}</h2>\n${section.blocks.map(block).join("\n")}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="en-GB" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"/>
<title>${escapeText(title)}</title>
<style>/*<![CDATA[*/${style}${darkFigures(svgs)}/*]]>*/</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
${paragraphs(lead, "lead")}
${verdict(checks)}
<nav aria-label="Contents"><ul>${links.join("")}</ul></nav>
</header>
<main>
${body.join("\n")}
</main>
<script>//<![CDATA[
${behaviour}//]]></script>
</body>
</html>
`;
}

function verdict(checks: readonly Check[]): string {
  if (checks.length === 0) return "";
  const failed = checks.filter((check) => !check.pass).length;
  const words = failed === 0 ? `✓ ${count(checks.length)} passed` : `✗ ${failed} of ${count(checks.length)} failed`;
  return `<p class="verdict ${failed === 0 ? "pass" : "fail"}">${words}</p>`;
}

const count = (checks: number) => (checks === 1 ? "1 check" : `${checks} checks`);

function block(one: Block): string {
  switch (one.kind) {
    case "text":
      return paragraphs(one.text);
    case "heading":
      return `<h3>${escapeText(one.text)}</h3>`;
    case "figure":
      return figure(one.name, one.svg, one.caption);
    case "table":
      return table(one.columns, one.rows, one.caption);
    case "checks":
      return checkTable(one.checks);
    case "parameters":
      return table(
        ["parameter", "value"],
        Object.entries(one.values).map(([name, value]) => [name, plainly(value)]),
      );
    case "code":
      return `<pre>${escapeText(one.text)}</pre>`;
  }
}

function paragraphs(text: string, style = ""): string {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return parts.map((part) => `<p${style && ` class="${style}"`}>${escapeText(part.trim())}</p>`).join("\n");
}

function figure(name: string, svg: string, caption: string): string {
  if (!svg.startsWith("<svg ") || /<script|<foreignObject|<[^>]*\son\w+\s*=\s*["']/i.test(svg)) {
    throw new InputError(
      "a figure must be SVG that only draws",
      svg.slice(0, 40),
      "make it with lineFigure or barFigure",
    );
  }
  const data = Buffer.from(svg).toString("base64");
  const link = `<a download="${escapeText(name)}.svg" href="data:image/svg+xml;base64,${data}">Download SVG</a>`;
  return `<figure>\n${svg.trim()}\n<figcaption>${escapeText(caption)} ${link}</figcaption>\n</figure>`;
}

function table(columns: readonly string[], rows: readonly (readonly Cell[])[], caption?: string): string {
  // A column stands to the right if all it holds are numbers, gaps aside.
  const numeric = columns.map(
    (_, j) => rows.some((row) => typeof row[j] === "number") && rows.every((row) => fits(row[j])),
  );
  const side = (j: number) => (numeric[j] ? ` class="number"` : "");
  const head = columns.map((name, j) => `<th scope="col"${side(j)}>${escapeText(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${columns.map((_, j) => `<td${side(j)}>${cell(row[j])}</td>`).join("")}</tr>`);
  const above = caption === undefined ? "" : `<caption>${escapeText(caption)}</caption>`;
  return `<div class="scroll"><table>${above}\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody></table></div>`;
}

const fits = (value: Cell | undefined) => typeof value === "number" || value === null || value === undefined;

function cell(value: Cell | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return `<span title="${value}">${readable(value)}</span>`;
  return escapeText(typeof value === "boolean" ? (value ? "yes" : "no") : value);
}

function checkTable(checks: readonly Check[]): string {
  const rows = checks.map(({ name, expected, measured, pass }) => {
    const mark = pass ? `<td class="pass">✓ pass</td>` : `<td class="fail">✗ fail</td>`;
    return `<tr><td>${escapeText(name)}</td><td>${cell(expected)}</td><td>${cell(measured)}</td>${mark}</tr>`;
  });
  const head = ["check", "expected", "measured", ""].map((name) => `<th scope="col">${name}</th>`).join("");
  return `<div class="scroll"><table class="checks">\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
}

function plainly(value: unknown): Cell {
  if (value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean")
    return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  return JSON.stringify(value) ?? null;
}
