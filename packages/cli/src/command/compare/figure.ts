/**
 * Topologies side by side as a figure: disagreement against rounds, one run each, for as many rounds as the quick ones
 * need to reach the tolerance. The others are seen to lag behind, which is all that a linear axis can show of a ring.
 */

import { gossip, topologies } from "equitopo";
import { bandOf } from "equitopo/internal/outcome";
import type { Drawable } from "../../figure/files.ts";
import { drawable } from "../../figure/whole.ts";
import { showCount, showFactor } from "../../terminal/numbers.ts";
import type { Row } from "./comparison.ts";
import { COLUMNS } from "./measure.ts";
import type { ComparisonOptions } from "./options.ts";

/** A topology that takes more rounds than so many times the median is not waited for. */
const PATIENCE = 4;

/** The most curves that a reader can still distinguish in one figure. */
const CURVES = 18;

export function drawComparison(
  all: readonly Row[],
  { tolerance, seed = 0, maxRounds }: Pick<ComparisonOptions, "tolerance" | "seed" | "maxRounds">,
): Drawable {
  const rows = all.length > CURVES ? quickest(all) : all;
  const rounds = roundsShown(rows.map(({ measured }) => measured?.rounds ?? maxRounds ?? Number.POSITIVE_INFINITY));
  const x = Array.from({ length: rounds + 1 }, (_, t) => t);
  const series = rows.map(({ topology, label: called, measured, overSeeds, own }) => {
    const runs = [...(overSeeds?.graphs ?? [[seed, topology] as const])].map(([at, graph]) => {
      const { errors } = gossip(graph, { d: COLUMNS, rounds, seed: at });
      return errors.map((error) => error / errors[0]);
    });
    const { name, maxDegree } = topology;
    const taken = measured === null ? "" : `: ${showCount(Number(measured.rounds.toFixed(1)))}`;
    const label = `${called}, ${showCount(maxDegree)} peer${maxDegree === 1 ? "" : "s"}${taken}`;
    const { mean, low, high } = bandOf(label, runs);
    const strong = own === true || ["own", "equitopo"].includes(groupOf(name));
    return { label, topology: name, strong, x, mean, ...(runs.length === 1 ? {} : { low, high }) };
  });
  const sizes = new Set(rows.map(({ topology }) => topology.n));
  return drawable({
    title: `How fast ${sizes.size > 1 ? "" : `${showCount(rows[0].topology.n)} `}nodes agree`,
    subtitle: `${rows.length < all.length ? `${rows.length} of ${all.length}, ` : ""}${seedsShown(rows)}; labels: peers in a round, and the rounds it takes to shrink disagreement by ${power(tolerance)}`,
    width: 760,
    height: 460,
    xLabel: "round t",
    yLabel: "‖x(t) − J x(0)‖ / ‖x(0) − J x(0)‖",
    yLog: true,
    xRange: [0, rounds],
    yRange: [tolerance, 1.6],
    labelsAside: true,
    series,
  });
}

function seedsShown(rows: readonly Row[]): string {
  const counts = [...new Set(rows.map(({ overSeeds }) => overSeeds?.graphs.size ?? 1))].sort((a, b) => a - b);
  const many = `means over ${counts.filter((count) => count > 1).join(" or ")} seeds, bands from the lowest to the highest`;
  return counts.at(-1) === 1 ? "one run each" : counts[0] === 1 ? `one run each, or ${many}` : many;
}

/** Of each family its quickest variant; then your own and the paper's, and of the others the quickest. */
function quickest(rows: readonly Row[]): Row[] {
  const taken = ({ measured }: Row) => measured?.rounds ?? Number.POSITIVE_INFINITY;
  const best = new Map<string, Row>();
  for (const row of rows) {
    const family = row.own ? row.label : row.topology.name;
    const known = best.get(family);
    if (known === undefined || taken(row) < taken(known)) best.set(family, row);
  }
  const first = ({ own, topology: { name } }: Row) => (own || ["own", "equitopo"].includes(groupOf(name)) ? 0 : 1);
  const chosen = [...best.values()].sort((a, b) => first(a) - first(b) || taken(a) - taken(b)).slice(0, CURVES);
  return rows.filter((row) => chosen.includes(row));
}

/** What a topology is in a comparison: what is not in the registry is your own. */
export function groupOf(name: string): "own" | "equitopo" | "baseline" | "rival" {
  return (topologies.has(name) ? topologies.get(name).group : undefined) ?? "own";
}

/** 10⁻⁶ where it is a power of ten. */
function power(factor: number): string {
  const [mantissa, exponent] = factor.toExponential().split("e-");
  if (mantissa !== "1" || exponent === undefined) return showFactor(factor);
  return `10⁻${exponent.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`;
}

/** Until the slowest of the quick ones is there, and on to a round number. */
function roundsShown(taken: readonly number[]): number {
  const sorted = [...taken].sort((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === Number.POSITIVE_INFINITY) return 100;
  const last = sorted.filter((rounds) => rounds <= PATIENCE * median).pop() as number;
  const step = 10 ** Math.floor(Math.log10(Math.max(10, last)));
  return Math.ceil((1.02 * last) / step) * step;
}
