/**
 * What asynchronous nodes used of each other, and when: all that is not a function of the spec. Whoever has it can do the
 * run again to the last bit (replay.ts).
 *
 * As text: a line of JSON for each iteration of each peer, in its order: {"peer":3,"round":14,"used":[[5,13]]} where peer 3
 * exchanged as round 14 and used what peer 5 had sent in its round 13, and {"peer":3} where it did one by itself.
 */

import { InputError } from "../../input/input.ts";

/** Vectors that were used: whose, and of which of its rounds. */
export type Used = readonly [from: number, round: number];

/** One iteration of one node. */
export interface Step {
  /** The round of the schedule that it exchanged as; left out where it did not exchange. */
  readonly round?: number;
  /** What was used, in the order in which it was added. */
  readonly used: readonly Used[];
}

/** Of every node, its iterations in order. */
export type History = readonly (readonly Step[])[];

/** A line for an iteration of a peer. */
export function historyLine(peer: number, { round, used }: Step): string {
  return `${JSON.stringify(round === undefined ? { peer } : { peer, round, used })}\n`;
}

/**
 * The history that lines tell, each peer's in its order. O(lines).
 *
 * @example
 * ```ts
 * import { historyLine, readHistory } from "equitopo/run";
 * const text = historyLine(1, { round: 2, used: [[0, 1]] });
 * readHistory(text, 2)[1][0].round // => 2
 * ```
 */
export function readHistory(text: string, n: number): History {
  const history: Step[][] = Array.from({ length: n }, () => []);
  const last = new Float64Array(n).fill(-1);
  text.split("\n").forEach((line, k) => {
    if (line === "") return;
    const found = parsed(line);
    const steps = history[found?.peer ?? -1];
    if (
      found === undefined ||
      steps === undefined ||
      (found.step.round ?? Number.POSITIVE_INFINITY) <= last[found.peer]
    ) {
      throw new InputError(
        `line ${k + 1} of a history must be an iteration of one of ${n} peers, after its last`,
        line,
        "give the whole of what the peers of one run wrote, and nothing else",
      );
    }
    last[found.peer] = found.step.round ?? last[found.peer];
    steps.push(found.step);
  });
  return history;
}

function parsed(line: string): { readonly peer: number; readonly step: Step } | undefined {
  try {
    const { peer, round, used = [] } = JSON.parse(line) as { peer: number; round?: number; used?: Used[] };
    const numbers = [peer, round ?? 0, ...used.flat()];
    const whole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
    if (!whole || used.some((pair) => pair.length !== 2)) return undefined;
    return { peer, step: round === undefined ? { used: [] } : { round, used } };
  } catch {
    return undefined;
  }
}
