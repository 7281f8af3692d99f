/** `equitopo rate --seeds`: the exact rates of a family that draws, with every seed, and how they scatter. */

import { InputError, topologies } from "equitopo";
import { optionsOf } from "equitopo/internal/topology";
import { type Summary, summaryOf } from "equitopo/outcome";
import { type FormatOptions, type Part, printAnswer } from "../../terminal/answer.ts";
import { workMeter } from "../../terminal/cost.ts";
import { showCount, showRate } from "../../terminal/numbers.ts";
import { numberCell, right, spreadLines, table, valueTable } from "../../terminal/table.ts";
import { askedTopology, type TopologyValues, topologyValues } from "../../topology/options.ts";

type Options = TopologyValues & FormatOptions & { readonly json?: true; readonly quiet?: true };

export async function ratesOverSeeds(name: string, seeds: readonly number[], options: Options): Promise<void> {
  requireDraws(name, options);
  const drawn: { seed: number; rate: number; degree: number }[] = [];
  let n = 0;
  for (const seed of seeds) {
    const asked = askedTopology(name, { ...options, seed });
    const meter = workMeter(`rate of ${name}, seed ${seed}`, asked.work?.operations, options);
    const topology = await asked.make(meter);
    const { rate } = meter.run(() => topology.rate());
    meter.end();
    n = topology.n;
    drawn.push({ seed, rate, degree: topology.maxDegree });
  }
  const over = (key: "rate" | "degree") => ({ seeds, ...summaryOf(drawn.map((one) => one[key])) });
  const found = { rate: over("rate"), degree: over("degree"), draws: drawn };
  const { seed: _, ...given } = topologyValues(options);
  const text = () => inWords(`${name}, n = ${showCount(n)}`, found);
  await printAnswer({ topology: name, n, ...given, ...found }, text, options);
}

/** Refuses what has one rate, and what is said of a single graph only. */
function requireDraws(name: string, options: TopologyValues): void {
  if (!("seed" in optionsOf(topologies.get(name), topologyValues(options)))) {
    const rule = "--seeds is for topologies that are drawn";
    throw new InputError(rule, name, "leave it out: every seed has the same rate");
  }
  const single = ["seed", "certificate", "plot", "rounds", "gains", "outer"].find((key) => options[key] !== undefined);
  if (single === undefined) return;
  throw new InputError(`--${single} is of one graph, and --seeds has several`, `--${single}`, "leave out one of them");
}

type Found = Readonly<Record<"rate" | "degree", Summary>> & {
  readonly draws: readonly { readonly seed: number; readonly rate: number; readonly degree: number }[];
};

function inWords(title: string, { rate, degree, draws }: Found): Part[] {
  const rates = draws.map((one) => one.rate);
  const short = (value: number) => String(Number(value.toPrecision(3)));
  const range = `${showRate(Math.min(...rates))} to ${showRate(Math.max(...rates))}`;
  const mean = numberCell(degree.mean, (value) => String(Number(value.toFixed(2))));
  const lines = [
    ["rate", numberCell(rate.mean, showRate), `mean of ${draws.length} seeds, each exact; ${range}`],
    ...spreadLines("rate", rate, short),
    ["degree", mean, "mean of the most peers that a node receives from in a round"],
  ] as const;
  const rows = draws.map((one) => [
    ...[String(one.seed), numberCell(one.rate, showRate), numberCell(one.degree, showCount)],
  ]);
  return [`${title}\n`, valueTable(lines, title), "\n", table(["seed", "rate", "degree"].map(right), rows)];
}
