/**
 * A run as one HTML file to read: what was found, figures inline, tables, checks as expected against measured, what
 * computed it, and how to cite the paper. It loads nothing (its own content policy forbids it to), and is well-formed XML
 * besides. All text is escaped; figures come in as this program's own SVG. Links lead to files beside it.
 */

import { createHash } from "node:crypto";
import { escapeText } from "equitopo/internal/picture";
import type { Check as OutcomeCheck } from "equitopo/outcome";
import { behaviour } from "./behaviour.ts";
import { figure, type ShownFigure } from "./figure-block.ts";
import { darkFigures, style } from "./style.ts";
import { type Cell, cell, folded, parameterTable, type ShownTable, table } from "./table-block.ts";

export type { Cell } from "./table-block.ts";

type Check = Omit<OutcomeCheck, "expected" | "measured"> & Readonly<Record<"expected" | "measured", Cell>>;

export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** What came out, set off from what was to be expected. */
  | { readonly kind: "finding"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string }
  | ({ readonly kind: "figure" } & ShownFigure)
  | ({ readonly kind: "table" } & ShownTable)
  | { readonly kind: "checks"; readonly checks: readonly Check[] }
  | { readonly kind: "parameters"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "files"; readonly text: string; readonly files: readonly string[] }
  | { readonly kind: "code"; readonly text: string };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export interface Report {
  readonly title: string;
  readonly lead: string;
  /** A few words above all else, such as that real peers gave the simulator's bits. */
  readonly headline?: string;
  /** What was found, in sentences, the first thing that is read. */
  readonly findings?: readonly string[];
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

const script = `//<![CDATA[\n${behaviour}//]]>`;
/** The only script that the report's own policy allows: text that got in somewhere stays text. */
const scriptHash = createHash("sha256").update(script).digest("base64");

/** The report as HTML text. Blank lines in a text block part its paragraphs. */
export function report({ title, lead, headline, findings = [], sections, versions }: Report): string {
  const closing: Section[] = [
    ...(versions ? [{ title: "Versions", blocks: [{ kind: "parameters", values: versions } as const] }] : []),
    { title: "Citing the paper", blocks: [{ kind: "code", text: bibtex }] },
  ];
  const all = [...sections, ...closing];
  const blocks = sections.flatMap((section) => section.blocks);
  const checks = blocks.flatMap((one) => (one.kind === "checks" ? one.checks : []));
  const drawn = blocks.flatMap((one) =>
    one.kind === "figure" ? [one.svg, ...(one.shown ?? []), ...(one.keys ?? []).map(({ svg }) => svg)] : [],
  );
  const links = all.map((section, i) => `<li><a href="#s${i + 1}">${escapeText(section.title)}</a></li>`);
  const body = all.map(
    (section, i) =>
      `<section id="s${i + 1}">\n<h2>${escapeText(section.title)}</h2>\n${inGroups(section.blocks)}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="en-GB" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; img-src data:"/>
<title>${escapeText(title)}</title>
<style>/*<![CDATA[*/${style}${darkFigures(drawn)}/*]]>*/</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
${headline === undefined ? "" : `<p class="headline">${escapeText(headline)}</p>\n`}${findings.map((text) => `${finding(text)}\n`).join("")}${findings.length === 0 ? verdict(checks) : ""}
${paragraphs(lead, "lead")}
<nav aria-label="Contents"><ul>${links.join("")}</ul></nav>
</header>
<main>
${body.join("\n")}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function finding(text: string): string {
  return `<p class="finding${/\bFAILED\b|\bdiverged\b/.test(text) ? " bad" : ""}">${escapeText(text)}</p>`;
}

function verdict(checks: readonly Check[]): string {
  if (checks.length === 0) return "";
  const failed = checks.filter((check) => !check.pass).length;
  const words = failed === 0 ? `✓ ${count(checks.length)} passed` : `✗ ${failed} of ${count(checks.length)} failed`;
  return `<p class="verdict ${failed === 0 ? "pass" : "fail"}">${words}</p>`;
}

const count = (checks: number) => (checks === 1 ? "1 check" : `${checks} checks`);

/** Figures that follow each other share rows, as far as there is room. */
function inGroups(blocks: readonly Block[]): string {
  const parts: string[] = [];
  for (let i = 0; i < blocks.length; ) {
    let end = i;
    while (end < blocks.length && blocks[end].kind === "figure") end++;
    if (end === i) parts.push(block(blocks[i++]));
    else {
      parts.push(`<div class="figures">\n${blocks.slice(i, end).map(block).join("\n")}\n</div>`);
      i = end;
    }
  }
  return parts.join("\n");
}

function block(one: Block): string {
  switch (one.kind) {
    case "text":
      return paragraphs(one.text);
    case "finding":
      return finding(one.text);
    case "heading":
      return `<h3>${escapeText(one.text)}</h3>`;
    case "figure":
      return figure(one);
    case "table":
      return table(one);
    case "checks":
      return checkTable(one.checks);
    case "parameters":
      return parameterTable(one.values);
    case "files":
      return `<p class="quiet">${escapeText(one.text)} ${one.files.map(fileLink).join(", ")}</p>`;
    case "code":
      return `<pre>${escapeText(one.text)}</pre>`;
  }
}

/** A file beside the report; a name is no address, whatever is in it. */
function fileLink(name: string): string {
  return `<a href="${escapeText(name.split("/").map(encodeURIComponent).join("/"))}">${escapeText(name)}</a>`;
}

function paragraphs(text: string, style = ""): string {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return parts.map((part) => `<p${style && ` class="${style}"`}>${escapeText(part.trim())}</p>`).join("\n");
}

/** Checks that are more than a glance: those that failed are seen at once, all of them on demand. */
const MANY = 12;

function checkTable(checks: readonly Check[]): string {
  if (checks.length <= MANY) return checkRows(checks);
  const failed = checks.filter(({ pass }) => !pass);
  const summary = `All ${checks.length} checks${failed.length === 0 ? ", which passed" : ""}`;
  return (failed.length === 0 ? "" : `${checkRows(failed)}\n`) + folded(summary, checkRows(checks));
}

function checkRows(checks: readonly Check[]): string {
  const rows = checks.map(({ name, expected, measured, pass }) => {
    const mark = pass ? `<td class="pass">✓ pass</td>` : `<td class="fail">✗ fail</td>`;
    return `<tr><td>${escapeText(name)}</td><td>${cell(expected)}</td><td>${cell(measured)}</td>${mark}</tr>`;
  });
  const head = ["check", "expected", "measured", ""].map((name) => `<th scope="col">${name}</th>`).join("");
  return `<div class="scroll"><table class="checks">\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
}
