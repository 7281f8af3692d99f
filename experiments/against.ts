/**
 * Another program's figures for centralised SGD, to hold ours against: a JSON file with the accuracies in percent, one a
 * seed (bench/pytorch/resnet20.py writes one). Equal is what differs by no more than seeds do: at most two standard
 * deviations of a seed, pooled over both programs.
 */

import { InputError } from "equitopo";
import type { Check } from "./experiment.ts";
import { estimateOf, show } from "./image-table.ts";

export interface Against {
  /** Whose figures they are. */
  readonly what: string;
  readonly epochs: number;
  /** Percent, means over the last epochs, one a seed. */
  readonly accuracies: readonly number[];
}

export function parseAgainst(text: string, name: string): Against {
  const refused = (value: unknown) =>
    new InputError(
      `${name} must hold what, epochs and at least two accuracies in percent`,
      value,
      'try { "what": "PyTorch", "epochs": 26, "accuracies": [91.2, 91.4] }',
    );
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw refused((error as Error).message);
  }
  const { what, epochs, accuracies } = Object(read) as Partial<Against>;
  const percent = (value: unknown) => typeof value === "number" && value >= 0 && value <= 100;
  if (typeof what !== "string" || !Number.isInteger(epochs)) throw refused(JSON.stringify({ what, epochs }));
  if (!Array.isArray(accuracies) || accuracies.length < 2 || !accuracies.every(percent)) {
    throw refused(JSON.stringify({ accuracies }));
  }
  return { what, epochs: epochs as number, accuracies };
}

/** Whether centralised SGD is the other program's, within the spread of seeds. */
export function againstCheck({ what, accuracies }: Against, here: readonly number[], protocol: string): Check {
  const [ours, theirs] = [estimateOf(here), estimateOf(accuracies)];
  const squares = (values: readonly number[], mean: number) => values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  const freedom = here.length + accuracies.length - 2;
  const deviation = Math.sqrt((squares(here, ours.mean) + squares(accuracies, theirs.mean)) / freedom);
  return {
    name: `${protocol}: Centralised SGD equals the other program's (${what}, ${accuracies.length} seeds)`,
    expected: `${show(theirs)}, within ${(2 * deviation).toFixed(2)}, two deviations of a seed`,
    measured: show(ours),
    pass: Math.abs(ours.mean - theirs.mean) <= 2 * deviation,
  };
}
