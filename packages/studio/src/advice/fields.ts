/** What the view of advice remembers beside n and the seed, which it shares. */

import { option } from "equitopo";
import { of, perhaps, toggle, word } from "../field.ts";

export const adviceFields = {
  /** What the nodes want: the mean of their numbers, or a model; then by which method. */
  goal: word("average", "dsgd", "dsgt", "d2", "exact-diffusion"),
  /** The most peers in a round; any number where left out. */
  peers: perhaps(of(option.whole(1, 1, 64))),
  /** Only graphs in which every edge goes both ways. */
  undirected: toggle(false),
  /** The share of messages that are lost. */
  lost: of(option.number(0, { min: 0, max: 0.5 })),
  by: word("time", "bytes"),
  /** The error to reach; the adviser's own where left out. */
  tolerance: perhaps(of(option.number(1e-6, { min: 1e-12, max: 0.5 }))),
  /** Bytes of one vector, seconds a message, bytes a second, seconds a gradient. */
  bytes: of(option.number(1e6, { min: 1, max: 1e10 })),
  latency: of(option.number(1e-4, { min: 0, max: 10 })),
  bandwidth: of(option.number(1.25e8, { min: 1e3, max: 1e12 })),
  compute: of(option.number(0, { min: 0, max: 100 })),
  /** Learning: whether neighbours have data alike, and the problem's constants. */
  alike: toggle(false),
  kappa: of(option.number(2.5, { min: 1, max: 1e6 })),
  spread: of(option.number(1, { min: 0, max: 1e3 })),
  sigma: of(option.number(0, { min: 0, max: 1e3 })),
};
