/** An experiment as a section of a report, and what all of them together came to. */

import { checksFinding, type Experiment, listed, type Outcome, type Scale } from "equitopo/internal/outcome";
import { figureInPieces, wholeFigure } from "../figure/whole.ts";
import type { Block, Section } from "./report.ts";

/** One that was asked for and could not be run. */
export interface Skipped {
  readonly name: string;
  readonly why: string;
}

/** `among`: there are other sections, and the findings are in this one; else they are at the top of the page. */
export function experimentSection(experiment: Experiment, outcome: Outcome, scale: Scale, among: boolean): Section {
  const { shows, paper = "" } = experiment;
  const source = /^(not in|beyond) the paper/i.test(paper)
    ? `${paper}. To be seen:`
    : `${paper}. What the paper shows:`;
  const blocks: Block[] = shows === undefined ? [] : [{ kind: "text", text: `${source} ${shows}` }];
  if (among) {
    for (const text of [...(outcome.findings ?? []), ...checksFinding(outcome.checks)]) {
      blocks.push({ kind: "finding", text });
    }
  }
  for (const figure of outcome.figures) {
    const { name, caption } = figure;
    // The section is called after the experiment already.
    const title = figure.title.replace(`${experiment.title}: `, "");
    const { keys, panels } = figureInPieces(figure);
    blocks.push({
      ...{ kind: "figure", name, title, svg: wholeFigure(figure), shown: panels, keys, caption, csv: `${name}.csv` },
    });
  }
  for (const { figure, why } of outcome.unshown ?? []) {
    blocks.push({ kind: "files", text: `${why} Its numbers:`, files: [`${figure.name}.csv`] });
  }
  if (outcome.checks.length > 0) {
    blocks.push({ kind: "heading", text: "Expected against measured" }, { kind: "checks", checks: outcome.checks });
  }
  for (const { name, title, columns, rows, caption } of outcome.tables) {
    blocks.push({
      ...{ kind: "table", columns, rows, csv: `${experiment.name}-${name}.csv` },
      caption: caption === undefined ? title : `${title}. ${caption}`,
    });
  }
  for (const text of outcome.notes ?? []) blocks.push({ kind: "text", text });
  const differing = experiment.differing?.(scale);
  blocks.push({ kind: "heading", text: "What was run" }, { kind: "parameters", values: experiment.parameters(scale) });
  if (differing !== undefined) blocks.push({ kind: "table", caption: "What sets the runs apart", ...differing });
  return { title: among ? experiment.title : "Results", blocks };
}

export function findingsAbove(
  finished: readonly { readonly experiment: Experiment; readonly outcome: Outcome }[],
  skipped: readonly Skipped[],
): string[] {
  const left = skipped.length === 0 ? [] : [`Not run: ${listed(skipped.map(({ name }) => name))}; see the end.`];
  if (finished.length === 1) {
    const [{ outcome }] = finished;
    return [...(outcome.findings ?? []), ...checksFinding(outcome.checks), ...left];
  }
  const failing = finished.filter(({ outcome }) => outcome.checks.some(({ pass }) => !pass));
  const checks = finished.flatMap(({ outcome }) => outcome.checks);
  const sound = finished.length - failing.length;
  const where = failing.length === 0 ? "" : ` See ${listed(failing.map(({ experiment }) => experiment.title))}.`;
  return [
    `${sound} of ${finished.length} experiments hold in every check. ${checksFinding(checks).join(" ")}${where}`,
    ...left,
  ];
}

export function notRun(skipped: readonly Skipped[]): Section {
  const rows = skipped.map(({ name, why }) => [name, why]);
  return { title: "Not run", blocks: [{ kind: "table", columns: ["experiment", "why"], rows }] };
}
