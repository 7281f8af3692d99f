/** What the view of learning remembers beside the topologies and the seed, which it shares. */

import { algorithms, option } from "equitopo";
import { of, perhaps, word } from "../field.ts";

/** The last update that the page goes to, and the most nodes whose models it draws. */
export const MOST_UPDATES = 5000;
export const MOST_LEARNERS = 64;

export const learningFields = {
  /** What the points lie on, and how far off. */
  data: word("moons", "circles", "blobs", "spirals"),
  noise: of(option.number(0.07, { min: 0, max: 0.5 })),
  /** Who holds which points. */
  split: word("sorted", "iid", "dirichlet"),
  model: word("small", "deep", "linear"),
  /** The algorithm, by its name in the library. */
  method: word("dsgd", ...algorithms.names.filter((name) => name !== "dsgd")),
  gamma: of(option.number(0.5, { min: 0.001, max: 3 })),
  batch: of(option.whole(8, 1, 64)),
  /** Nodes of this view; n of the others is larger than what one can see here. */
  learners: of(option.whole(24, 2, MOST_LEARNERS)),
  /** The update shown; where the address has none, the page plays from the start. */
  update: perhaps(of(option.whole(0, 0, MOST_UPDATES))),
  /** Who computes the updates. */
  device: word("cpu", "gpu"),
  /** Updates a second. */
  pace: of(option.whole(30, 1, 240)),
  /** The node whose model and data are shown; all together where left out. */
  learner: perhaps(of(option.whole(0, 0, MOST_LEARNERS - 1))),
};
