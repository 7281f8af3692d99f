/** `equitopo advise --outer`: which rule of local steps, over which topology and with how many rounds an outer step. */

import { InputError } from "equitopo";
import { type AdviseOuterOptions, adviseOuter, type OuterAdvice, type OuterAdviceRow } from "equitopo/advise";
import { leftOut } from "equitopo/internal/advise";
import { type FormatOptions, type Part, printAnswer } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount, showSeconds } from "../../terminal/numbers.ts";
import type { Progress } from "../../terminal/progress.ts";
import { type CellColumn, left, numberCell, right, tableOf } from "../../terminal/table.ts";

/** Rows of the table unless --all asks for more. */
const SHOWN = 16;

/** What the question takes; all else is of averaging and of gradient methods. */
const taken = [
  "n",
  "degree",
  "undirected",
  "topologies",
  "modelBytes",
  "latency",
  "bandwidth",
  "seed",
  "steps",
  "compute",
  "disagreement",
];

/** Options that `--outer` alone has. */
export function requireOuter({
  steps,
  disagreement,
}: {
  readonly steps?: number;
  readonly disagreement?: number;
}): void {
  if (steps === undefined && disagreement === undefined) return;
  const [name, value] = steps === undefined ? ["disagreement", disagreement] : ["steps", steps];
  throw new InputError(`--${name} is for rules of local steps`, value, "add --outer");
}

export async function outerAdvice(
  given: Readonly<Record<string, unknown>>,
  options: FormatOptions & { readonly json?: true; readonly all?: true },
  progress: Progress,
): Promise<void> {
  const stray = Object.keys(given).find((key) => !taken.includes(key));
  if (stray !== undefined) throw new InputError(`${stray} does not go with --outer`, given[stray], "leave it out");
  if (given["steps"] === undefined) {
    throw new InputError("--outer needs the updates from one outer step to the next", given["steps"], "try --steps 50");
  }
  const advice = adviseOuter(given as unknown as AdviseOuterOptions, (label, done, all) =>
    progress.step(() => `${done + 1} of ${all}: ${label}`),
  );
  progress.done();
  const most = options.all ? Number.POSITIVE_INFINITY : SHOWN;
  await printAnswer(advice.ranking, () => inWords(advice, most), options);
}

function inWords(advice: OuterAdvice, most: number): Part[] {
  const { question, ranking, excluded } = advice;
  const { n, steps, disagreement, modelBytes, latency, bandwidth } = question;
  const visible = ranking.filter((row, k) => k < most || row.spec === undefined);
  const columns: CellColumn<OuterAdviceRow>[] = [
    [left("algorithm"), ({ algorithm }) => algorithm],
    [left("topology"), ({ topology }) => topology],
    [right("rounds"), ({ rounds }) => numberCell(rounds, showCount)],
    [right("disagreement"), (row) => numberCell(row.disagreement, (value) => value.toPrecision(2))],
    [right("time"), ({ seconds }) => numberCell(seconds, showSeconds)],
    [right("bytes/node"), ({ bytes }) => numberCell(bytes, showBytes)],
    [left("sure"), ({ method }) => method],
  ];
  const title = `n = ${showCount(n)}: an outer step of ${showCount(steps)} updates that keeps disagreement to ${disagreement} per unit of local drift and of progress`;
  const network = `vectors of ${showBytes(modelBytes)}, ${showSeconds(latency)} and ${showBytes(bandwidth)}/s`;
  const more = ranking.length - visible.length;
  const reasons = leftOut({ excluded }).map(([reason, labels]) => `${labels.join(", ")} (${reason})`);
  return [
    `${wrapped(title)}\n${network}\n\n`,
    tableOf(columns, visible),
    more > 0 ? `... and ${showCount(more)} more; --all shows them\n\n` : "\n",
    `${wrapped("Time and bytes are of one outer step: its exchanges and its updates. Rules that keep nodes equally close may still learn differently.")}\n`,
    reasons.length === 0 ? "" : `${wrapped(`Left out: ${reasons.join("; ")}.`)}\n`,
  ];
}
