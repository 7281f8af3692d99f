/**
 * What goes wrong, in the address: `kill=7@3,9@10-20` (node 7 from round 3 on, node 9 in rounds 10 to 19), `cut=4-5@2`
 * (the link between 4 and 5, both ways), `drop=0.1`. They are entries of the view, not a state: whoever replays the
 * rounds comes to the same numbers, forwards or backwards, and two topologies side by side suffer alike.
 */

import { option } from "equitopo/input";
import { type Field, list, of, toggle } from "./field.ts";

/** A node that is down from round `from` until before round `until`, or for good. */
export interface Kill {
  readonly node: number;
  readonly from: number;
  readonly until?: number;
}

/** A pair of nodes that hear nothing of each other. */
export interface Cut {
  readonly pair: readonly [number, number];
  readonly from: number;
  readonly until?: number;
}

const MOST_ENTRIES = 100;

const during = (from: number, until: number | undefined) => (until === undefined ? `@${from}` : `@${from}-${until}`);

function period(from: string, until: string | undefined): { from: number; until?: number } | undefined {
  if (until === undefined) return { from: Number(from) };
  return Number(until) > Number(from) ? { from: Number(from), until: Number(until) } : undefined;
}

const kill: Omit<Field<Kill>, "initial"> = {
  read(text) {
    const found = /^(\d{1,6})@(\d{1,6})(?:-(\d{1,6}))?$/.exec(text);
    const when = found === null ? undefined : period(found[2], found[3]);
    return found === null || when === undefined ? undefined : { node: Number(found[1]), ...when };
  },
  write: ({ node, from, until }) => `${node}${during(from, until)}`,
};

const cut: Omit<Field<Cut>, "initial"> = {
  read(text) {
    const found = /^(\d{1,6})-(\d{1,6})@(\d{1,6})(?:-(\d{1,6}))?$/.exec(text);
    const when = found === null ? undefined : period(found[3], found[4]);
    if (found === null || when === undefined || found[1] === found[2]) return undefined;
    return { pair: [Number(found[1]), Number(found[2])], ...when };
  },
  write: ({ pair, from, until }) => `${pair[0]}-${pair[1]}${during(from, until)}`,
};

export const faultFields = {
  kill: list(kill, [], MOST_ENTRIES),
  cut: list(cut, [], MOST_ENTRIES),
  /** The probability that a message is lost. */
  drop: of(option.number(0, { min: 0, max: 0.9 })),
  /** Weights travel along, so that the mean is kept although directed messages are lost. */
  push: toggle(false),
};
