/** Runs of a spec as figures: one for each metric, with a name, a title and a caption that says what was run. */

import type { RunResult } from "equitopo";
import type { CurveFigure } from "./experiment.ts";
import { type ByLabel, metricsOf, panelsOf, type SpecPanels, words } from "./spec-panels.ts";

export interface SpecFigures extends SpecPanels {
  /** What their files are called, with the metric behind it. */
  readonly name: string;
  readonly title: string;
  /** The metric whose figure is wanted; all of them where left out. */
  readonly metric?: string;
  /** Labels of one group make a figure of their own. */
  group?(label: string): string;
  readonly caption?: string;
}

/** One figure for each metric and group, each with a panel for updates, bytes and seconds. */
export function specFigures(about: SpecFigures, byLabel: ByLabel): CurveFigure[] {
  const metrics = about.metric === undefined ? metricsOf(byLabel) : [about.metric];
  const groups = new Set([...byLabel.keys()].map((label) => about.group?.(label) ?? ""));
  return [...groups].flatMap((group) => {
    const members = new Map([...byLabel].filter(([label]) => (about.group?.(label) ?? "") === group));
    return metrics.map((metric) => {
      const parts = [...(group === "" ? [] : [group]), ...(metrics.length > 1 ? [words(metric)] : [])];
      return {
        name: [about.name, ...parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"))].join("-"),
        title: [about.title, ...parts].join(": "),
        caption: about.caption ?? seedsShown([...members.values()]),
        panels: panelsOf(members, metric, about),
      };
    });
  });
}

/** What a band is, from what was run. */
function seedsShown(groups: readonly (readonly RunResult[])[]): string {
  const counts = [...new Set(groups.map((runs) => runs.length))].sort((a, b) => a - b);
  if (counts[counts.length - 1] === 1) return "One seed.";
  return `Mean over ${counts.join(" or ")} seeds, band from the lowest to the highest.`;
}
