/** `equitopo rate --seeds`: the exact rates of a family that draws, with every seed, and how they scatter. */

import { InputError, type Topology, topologies } from "equitopo";
import { optionsOf } from "equitopo/internal/topology";
import { type Summary, summaryOf } from "equitopo/outcome";
import { type FormatOptions, type Part, printParts } from "../../terminal/answer.ts";
import { workMeter } from "../../terminal/cost.ts";
import { showCount, showRate } from "../../terminal/numbers.ts";
import { printJson } from "../../terminal/output.ts";
import { type Cell, numberCell, right, table, valueTable } from "../../terminal/table.ts";
import { askedTopology, type TopologyValues, topologyValues } from "../../topology/options.ts";

interface Options extends TopologyValues, FormatOptions {
  readonly json?: true;
  readonly quiet?: true;
}

export async function ratesOverSeeds(name: string, seeds: readonly number[], options: Options): Promise<void> {
  requireDraws(name, options);
  const drawn: { seed: number; rate: number; degree: number }[] = [];
  let n = 0;
  for (const seed of seeds) {
    const asked = askedTopology(name, { ...options, seed });
    const meter = workMeter(`rate of ${name}, seed ${seed}`, asked.work?.operations, options);
    const topology: Topology = await asked.make(meter);
    const { rate } = meter.run(() => topology.rate());
    meter.end();
    n = topology.n;
    drawn.push({ seed, rate, degree: topology.maxDegree });
  }
  const rate = summaryOf(drawn.map((one) => one.rate));
  const degree = summaryOf(drawn.map((one) => one.degree));
  if (options.json) {
    const { seed: _, ...given } = topologyValues(options);
    await printJson({
      topology: name,
      n,
      ...given,
      rate: { seeds, ...rate },
      degree: { seeds, ...degree },
      draws: drawn,
    });
  } else await printParts(inWords(name, n, { rate, degree }, drawn), options);
}

/** Refuses what has one rate, and what is said of a single graph only. */
function requireDraws(name: string, options: TopologyValues): void {
  if (!("seed" in optionsOf(topologies.get(name), topologyValues(options)))) {
    throw new InputError(
      "--seeds is for topologies that are drawn",
      name,
      "leave it out: every seed has the same rate",
    );
  }
  const single = ["seed", "certificate", "plot", "rounds", "gains"].find((key) => options[key] !== undefined);
  if (single === undefined) return;
  throw new InputError(`--${single} is of one graph, and --seeds has several`, `--${single}`, "leave out one of them");
}

function inWords(
  name: string,
  n: number,
  { rate, degree }: Readonly<Record<"rate" | "degree", Summary>>,
  drawn: readonly { readonly seed: number; readonly rate: number; readonly degree: number }[],
): Part[] {
  const rates = drawn.map((one) => one.rate);
  const shown = (value: number | null): Cell =>
    value === null ? "none of one seed" : numberCell(value, (one) => String(Number(one.toPrecision(3))));
  const range = `${showRate(Math.min(...rates))} to ${showRate(Math.max(...rates))}`;
  const lines: [string, Cell, string][] = [
    ["rate", numberCell(rate.mean, showRate), `mean of ${drawn.length} seeds, each exact; ${range}`],
    ["sd", shown(rate.sd), "standard deviation of a seed's rate"],
    ["se", shown(rate.se), "standard error of the mean"],
    [
      "degree",
      numberCell(degree.mean, (mean) => String(Number(mean.toFixed(2)))),
      "mean of the most peers that a node receives from in a round",
    ],
  ];
  const rows = drawn.map((one) => [
    String(one.seed),
    numberCell(one.rate, showRate),
    numberCell(one.degree, showCount),
  ]);
  const title = `${name}, n = ${showCount(n)}`;
  return [`${title}\n`, valueTable(lines, title), "\n", table(["seed", "rate", "degree"].map(right), rows)];
}
