/**
 * What asynchronous nodes used of each other, and when: all that is not a function of the spec. Whoever has it can do the
 * run again to the last bit (replay.ts).
 *
 * As text: a line of JSON for each exchange of each peer, {"peer":3,"t":12,"round":14,"used":[[5,13]]}: peer 3 did
 * iteration 12, exchanged as round 14 (it had been overtaken meanwhile), and used what peer 5 had sent in its round 13.
 */

import { InputError } from "../../input/input.ts";

/** Vectors that were used: whose, and of which of its rounds. */
export type Used = readonly [from: number, round: number];

/** One exchange of one node. */
export interface Step {
  /** The iteration, by which gradients, noise and learning rates go. */
  readonly t: number;
  /** The round of the schedule in which its vectors were exchanged: t, or later where it skipped. */
  readonly round: number;
  /** What was used, in the order in which it was added. */
  readonly used: readonly Used[];
}

/** Of every node, its exchanges in order. */
export type History = readonly (readonly Step[])[];

/** A line for an exchange of a peer. */
export function historyLine(peer: number, { t, round, used }: Step): string {
  return `${JSON.stringify({ peer, t, round, used })}\n`;
}

/**
 * The history that lines tell, in whatever order the peers' lines stand. O(lines).
 *
 * @example
 * ```ts
 * import { historyLine, readHistory } from "equitopo/run";
 * const text = historyLine(1, { t: 0, round: 2, used: [[0, 1]] });
 * readHistory(text, 2)[1][0].round // => 2
 * ```
 */
export function readHistory(text: string, n: number): History {
  const history: Step[][] = Array.from({ length: n }, () => []);
  text.split("\n").forEach((line, k) => {
    if (line === "") return;
    const step = parsed(line);
    const steps = step === undefined ? undefined : history[step.peer];
    const last = steps?.at(-1)?.round ?? -1;
    if (step === undefined || steps === undefined || !(step.t > last) || step.round < step.t) {
      throw new InputError(
        `line ${k + 1} of a history must be an exchange of one of ${n} peers, after its last`,
        line,
        "give the whole of what the peers of one run wrote, and nothing else",
      );
    }
    const { t, round, used } = step;
    steps.push({ t, round, used });
  });
  return history;
}

function parsed(line: string): (Step & { readonly peer: number }) | undefined {
  try {
    const { peer, t, round, used } = JSON.parse(line) as Step & { readonly peer: number };
    const numbers = [peer, t, round, ...used.flat()];
    const whole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
    return whole && used.every((pair) => pair.length === 2) ? { peer, t, round, used } : undefined;
  } catch {
    return undefined;
  }
}
