/** What the view of rounds remembers beside what it shares. */

import { option } from "equitopo/input";
import { of, perhaps, word } from "../field.ts";

/** The last round that the page goes to. */
export const MOST_ROUNDS = 5000;

export const roundsFields = {
  /** The round shown; where the address has none, the page plays from the start. */
  t: perhaps(of(option.whole(0, 0, MOST_ROUNDS))),
  /** How many rounds are played, and how far curves go. */
  rounds: of(option.whole(60, 1, MOST_ROUNDS)),
  /** Rounds a second. */
  speed: of(option.number(2, { min: 0.25, max: 60 })),
  /** Numbers at each node. */
  d: of(option.whole(1, 1, 100)),
  /** What the nodes hold at first. */
  start: word("sorted", "normal", "split", "one"),
  /** The node that is looked at. */
  node: perhaps(of(option.whole(0, 0, 9999))),
  /** Where nodes stand: as the graph is, or all on a circle. */
  layout: word("own", "circle"),
  /** Colours measure against the start, or against what is left now. */
  contrast: word("start", "now"),
};
