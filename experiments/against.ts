/**
 * Figures of another program for centralised SGD, to compare ours with: a JSON file with one accuracy in percent for each
 * seed (bench/pytorch/resnet20.py writes one). They are equal if they differ by no more than seeds do: at most two standard
 * deviations of a seed, pooled over both programs.
 */

import { InputError } from "equitopo";

export interface Against {
  /** Whose figures they are. */
  readonly what: string;
  readonly epochs: number;
  /** In percent, each the mean over the last epochs of one seed. */
  readonly accuracies: readonly number[];
}

export function parseAgainst(text: string, name: string): Against {
  const rule = `${name} must hold what, epochs and at least two accuracies in percent`;
  const remedy = 'try { "what": "PyTorch", "epochs": 26, "accuracies": [91.2, 91.4] }';
  const refused = (value: unknown) => new InputError(rule, value, remedy);
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
