/**
 * What the models are worth, on the whole validation text. The network averages the models, and node i tries its copy of
 * the average on part i of n, so that all nodes together try the whole text once; every node tries its own model on all
 * of it, at every evaluation or at the last alone. And it says how far apart the nodes' outputs are: the Jensen-Shannon
 * distance sqrt(1/n sum_i KL(p_i, mean of all p)), in nats, over the tokens that come after those of a few windows.
 */

import type { Evaluation, Rows, Tally } from "equitopo";
import { log } from "equitopo/number";
import type { TokenizedText } from "../text/tokens.ts";
import { commands, type Plan } from "./work.ts";

export interface Evaluated extends Pick<Plan, "settings" | "first" | "staging"> {
  readonly count: number;
  readonly text: TokenizedText;
  /** Of the last step of node k. */
  loss(k: number): number;
  run(command: number, tasks: number): void;
}

export function evaluationOf({ settings, first, count, staging, text, run, loss }: Evaluated): Evaluation {
  const { n } = settings;
  const { outputs, results } = staging;
  const predicted = text.validation.length - 1;

  /** Losses of each node, its tasks one after another. */
  function tried(command: number, tasks: number): number[] {
    run(command, count * tasks);
    return Array.from({ length: count }, (_, k) =>
      results.subarray(k * tasks, (k + 1) * tasks).reduce((sum, one) => sum + one, 0),
    );
  }

  return {
    *tally(x, _updates, from, rows, last = false): Generator<readonly Rows[], readonly Tally[], readonly Rows[]> {
      if (from !== first || rows !== count) throw new Error("a problem is evaluated for the nodes it was made for");
      const [averaged] = yield [x.slice()];
      staging.x.set(x);
      staging.y.set(averaged);
      run(commands.probe, count);
      const [mean] = yield [outputs.slice()];
      const width = outputs.length / count;
      const average = tried(commands.tryPart, 1);
      const all = settings.try === "all" || last ? tried(commands.tryAll, n) : undefined;
      return average.map((averagedLoss, k): Tally => {
        const own = {
          averagedLoss,
          divergence: divergence(outputs, mean, k * width, width) / (width / text.vocabulary),
        };
        const step = Number.isNaN(loss(k)) ? {} : { trainLoss: loss(k) };
        return { ...own, ...step, ...(all === undefined ? {} : { loss: all[k] / predicted }) };
      });
    },
    summarise(tallies) {
      const sum = (name: string) => tallies.reduce((total, tally) => total + (tally[name] ?? Number.NaN), 0);
      const averagedLoss = sum("averagedLoss") / predicted;
      return {
        averagedLoss,
        averagedBitsPerByte: averagedLoss / text.bytesPerToken / Math.LN2,
        meanLoss: sum("loss") / tallies.length,
        worstLoss: tallies.reduce((most, { loss: own = Number.NaN }) => Math.max(most, own), Number.NEGATIVE_INFINITY),
        outputDistance: Math.sqrt(Math.max(0, sum("divergence") / tallies.length)),
        trainLoss: sum("trainLoss") / tallies.length,
      };
    },
  };
}

/** Sum of p ln(p / q) over `width` numbers from `at` on. */
function divergence(p: Rows, q: Rows, at: number, width: number): number {
  let sum = 0;
  for (let k = at; k < at + width; k++) if (p[k] > 1e-30) sum += p[k] * (log(p[k]) - log(q[k]));
  return sum;
}
