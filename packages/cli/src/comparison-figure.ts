/**
 * Topologies side by side as a figure: disagreement against rounds, one run each, for as many rounds as the quick ones
 * take to the tolerance. The others are seen to lag behind, which is all that a linear axis can show of a ring.
 */

import { gossip, type Topology, topologies } from "equitopo";
import { lineFigure } from "equitopo/picture";
import { COLUMNS } from "./measure.ts";
import { showCount, showFactor } from "./numbers.ts";

export interface Compared {
  readonly topology: Topology;
  /** Its name, and its options where they set it apart. */
  readonly label: string;
  readonly measured: { readonly rounds: number } | null;
}

export interface ComparisonOptions {
  readonly tolerance: number;
  readonly seed?: number;
  readonly maxRounds?: number;
}

/** Who takes more rounds than so many times the median is not waited for. */
const PATIENCE = 4;

/** Curves that one figure holds and still can be told apart. */
const CURVES = 18;

export function drawComparison(
  all: readonly Compared[],
  { tolerance, seed = 0, maxRounds }: ComparisonOptions,
): string {
  const rows = all.length > CURVES ? quickest(all) : all;
  const rounds = roundsShown(rows.map(({ measured }) => measured?.rounds ?? maxRounds ?? Number.POSITIVE_INFINITY));
  const x = Array.from({ length: rounds + 1 }, (_, t) => t);
  const series = rows.map(({ topology, label: called, measured }) => {
    const { errors } = gossip(topology, { d: COLUMNS, rounds, seed });
    const { name, maxDegree } = topology;
    const taken = measured === null ? "" : `: ${showCount(measured.rounds)}`;
    const label = `${called}, ${showCount(maxDegree)} peer${maxDegree === 1 ? "" : "s"}${taken}`;
    const mean = errors.map((error) => error / errors[0]);
    return { label, topology: name, strong: ["own", "equitopo"].includes(groupOf(name)), x, mean };
  });
  return lineFigure({
    title: `How fast ${showCount(rows[0].topology.n)} nodes agree`,
    subtitle: `${rows.length < all.length ? `${rows.length} of ${all.length}, ` : ""}one run each; labels: peers in a round, and the rounds it takes to shrink disagreement by ${power(tolerance)}`,
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

/** Of each family its quickest variant; then your own and the paper's, and of the others the quickest. */
function quickest(rows: readonly Compared[]): Compared[] {
  const taken = ({ measured }: Compared) => measured?.rounds ?? Number.POSITIVE_INFINITY;
  const best = new Map<string, Compared>();
  for (const row of rows) {
    const known = best.get(row.topology.name);
    if (known === undefined || taken(row) < taken(known)) best.set(row.topology.name, row);
  }
  const first = ({ topology: { name } }: Compared) => (["own", "equitopo"].includes(groupOf(name)) ? 0 : 1);
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
