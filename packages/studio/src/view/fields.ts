/**
 * Every entry of the view, with the control that sets it: those that several views share, then those of each view, whose
 * names begin with the view's where they could be taken for another's.
 */

import { algorithms } from "equitopo";
import { choice, type Entry, type Field, list, number, perhaps, toggle, whole, word } from "./field.ts";
import { type Chosen, topologyField } from "./topology-field.ts";

/** The most nodes that the page simulates, and the most topologies that it sets side by side. */
export const MOST_NODES = 10_000;
export const MOST_TOPOLOGIES = 6;
/** The last round that the page goes to. */
export const MOST_ROUNDS = 5000;
/** The last update that the page goes to, and the most nodes whose models it draws. */
export const MOST_UPDATES = 5000;
export const MOST_LEARNING = 64;
/** The most faults of a kind. */
const MOST_FAULTS = 100;

interface Span {
  /** The first round of it. */
  readonly from: number;
  /** The first round after it; left out where it does not end. */
  readonly until?: number;
}

/** A node that is down. */
export interface Kill extends Span {
  readonly node: number;
}

/** A pair of nodes whose messages to each other do not arrive. */
export interface Cut extends Span {
  readonly pair: readonly [number, number];
}

/** The nodes that a fault concerns. */
export const nodesOf = (fault: Kill | Cut) => ("node" in fault ? [fault.node] : fault.pair);

/**
 * Faults in the address, `NODES@from` or `NODES@from-until`: `kill=7@3,9@10-20` (node 7 from round 3 on, node 9 in rounds 10
 * to 19), `cut=4-5@2` (the link between 4 and 5, both ways). They are entries of the view, not a state: a replay of the
 * rounds comes to the same numbers, forwards or backwards, and two topologies side by side have the same faults.
 */
function faults<F extends Kill | Cut>(count: number, make: (nodes: number[]) => object): Field<readonly F[]> {
  const read: Entry<F>["read"] = (text) => {
    const found = /^(\d{1,6}(?:-\d{1,6})?)@(\d{1,6})(?:-(\d{1,6}))?$/.exec(text);
    const nodes = found?.[1].split("-").map(Number) ?? [];
    if (found === null || new Set(nodes).size !== count) return undefined;
    const [from, until] = [Number(found[2]), found[3] === undefined ? undefined : Number(found[3])];
    if (until === undefined) return { ...make(nodes), from } as F;
    return until > from ? ({ ...make(nodes), from, until } as F) : undefined;
  };
  const write: Entry<F>["write"] = (entry) =>
    `${nodesOf(entry).join("-")}@${entry.from}${entry.until === undefined ? "" : `-${entry.until}`}`;
  return list({ read, write }, [], MOST_FAULTS);
}

const graph: Field<Chosen> = { ...topologyField, initial: { name: "d-equistatic" } };
const plain = { read: (text: string) => (/^[\w.:+ -]{1,200}$/.test(text) ? text : undefined), write: String };

export const fields = {
  view: word("rounds", "curves", "learning", "spectrum", "advice", "runs"),
  topology: list(topologyField, [{ name: "od-equidyn" }, { name: "ring" }], MOST_TOPOLOGIES),
  n: whole(64, 2, MOST_NODES, "Nodes", "how many computers take part", { symbol: "n", log: true }),
  // The first rounds of this one are neither the best nor the worst.
  seed: whole(4, 0, 1e9, "Seed", "of the start, of the draws and of what is dropped", { max: 100 }),
  kill: faults<Kill>(1, ([node]) => ({ node })),
  cut: faults<Cut>(2, (pair) => ({ pair })),
  drop: number(0, 0, 0.9, "Messages dropped", "the probability that a message does not arrive, or an exchange fails", {
    symbol: "p",
    step: 0.01,
  }),
  push: toggle("Push-sum", "weights travel along: the mean is kept although one-way messages are dropped", "x / v"),

  // Rounds.
  /** The round shown; where the address has none, the page plays from the start. */
  t: perhaps(whole(0, 0, MOST_ROUNDS)),
  /** How many rounds are played, and how far curves go. */
  rounds: whole(60, 1, MOST_ROUNDS, "Rounds", "how far it goes", { symbol: "T", min: 10, log: true }),
  speed: number(2, 0.25, 60, "Rounds a second", undefined, { log: true }),
  d: whole(1, 1, 100, "Numbers a node", "a message has this many numbers of 8 bytes; the colour shows the first", {
    symbol: "d",
  }),
  start: choice(
    "Start",
    "what the nodes hold at first",
    {
      sorted: "normal numbers in order",
      normal: "normal numbers",
      split: "one half 1, the other −1",
      one: "all of it at node 0",
    },
    "x(0)",
  ),
  /** The node that is looked at. */
  node: perhaps(whole(0, 0, 9999)),
  layout: choice("Places of nodes", "a grid as a grid, or everything on a circle", {
    own: "as they are",
    circle: "on a circle",
  }),
  contrast: choice("Colour", "violet below the mean, lime above: against the start’s spread, or the present one", {
    start: "start",
    now: "now",
  }),

  // Curves.
  /** What the curves are drawn against. */
  x: choice("Against", "a ring’s node sends two messages a round, a one-peer graph’s sends one", {
    rounds: "rounds",
    bytes: "bytes",
    seconds: "seconds",
  }),
  /** The network of simulated seconds: per message, and per byte. */
  alpha: number(1e-4, 0, 10, "Latency", "seconds that each message takes, however short", {
    min: 1e-6,
    max: 1,
    log: true,
  }),
  beta: number(8e-9, 0, 1e-3, "A byte takes", "seconds; 8e-9 is a network of 1 Gbit/s", {
    ...{ min: 1e-11, max: 1e-4, log: true },
  }),

  // Learning.
  /** What the points lie on, and how far off. */
  data: choice("Points", "drawn here, 640 of them and 200 to be tried on", {
    moons: "two moons",
    circles: "two circles",
    blobs: "four blobs",
    spirals: "two spirals",
  }),
  noise: number(0.07, 0, 0.5, "Noise", "how far points lie off their shape", { symbol: "σ", step: 0.01 }),
  /** Who holds which points. */
  split: choice("Who holds what", "blocks: neighbours hold one class alike; sorted: one class a node, anywhere", {
    blocks: "blocks",
    sorted: "sorted",
    dirichlet: "uneven",
    iid: "shuffled",
  }),
  model: choice("Model", "what a node trains and sends: 6 to 354 numbers", {
    small: "16 hidden units",
    deep: "two layers of 16",
    linear: "straight lines (softmax regression)",
  }),
  algorithm: choice("Algorithm", "", Object.fromEntries(algorithms.names.map((name) => [name, name]))),
  gamma: number(0.5, 0.001, 3, "Learning rate", "how far a gradient moves a model; too large, and nodes run apart", {
    ...{ symbol: "γ", log: true },
  }),
  batch: whole(8, 1, 64, "Batch", "points that a node sees in one update"),
  /** Nodes of this view; n of the others is larger than what one can see here. */
  learningN: whole(24, 2, MOST_LEARNING, "Nodes", "each with its own points and its own model", { symbol: "n" }),
  /** The update shown; where the address has none, the page plays from the start. */
  update: perhaps(whole(0, 0, MOST_UPDATES)),
  /** Who computes the updates. */
  device: word("cpu", "gpu"),
  pace: whole(30, 1, 240, "Updates a second", undefined, { log: true }),
  /** What disagreement of models is drawn against. */
  learningX: choice("Against", "updates done, or bytes sent by the busiest node", {
    updates: "updates",
    bytes: "bytes",
  }),
  /** The node whose model and data are shown; all together where left out. */
  learningNode: perhaps(whole(0, 0, MOST_LEARNING - 1)),

  // Spectrum.
  /** The topology whose eigenvalues are shown. */
  graph,
  /** Of what: the matrix that tells most of it, or of one round. */
  matrix: choice("Eigenvalues of", "", { telling: "", round: "one W(t)" }),
  matrixRound: whole(0, 0, 5000, "Round", "which W(t)", { symbol: "t", max: 100 }),

  // Advice: the names are the adviser's own (AdviseOptions).
  /** What the nodes want: the mean of their vectors, or a model; then by which algorithm. */
  goal: { ...word("average", ...algorithms.names), look: { label: "Goal" } },
  /** The largest degree; any where left out. */
  degree: perhaps(whole(1, 1, 64, "At most", "neighbours in a round", { min: 2 })),
  undirected: toggle(
    "Both ways only",
    "every edge goes both ways (undirected), so that dropped exchanges keep the mean",
  ),
  loss: number(0, 0, 0.5, "Messages dropped", "the share that never arrives", { step: 0.01 }),
  by: choice("Rank by", "what is to be little: time, or bytes sent by the busiest node", {
    time: "time",
    bytes: "bytes",
  }),
  /** The adviser's own where left out. */
  tolerance: perhaps(
    number(1e-6, 1e-12, 0.5, "Tolerance", "the error to reach; by itself 1e-6, and 0.01 for algorithms with a bias", {
      symbol: "ε",
      log: true,
    }),
  ),
  modelBytes: number(1e6, 1, 1e10, "A vector", "bytes of what is sent", { log: true, step: 1 }),
  latency: number(1e-4, 0, 10, "A message", "seconds without its bytes (latency)", { min: 1e-7, log: true }),
  bandwidth: number(1.25e8, 1e3, 1e12, "A link", "bytes a second; 1.25e8 is a gigabit", { log: true }),
  /** Learning only, from here on. */
  heterogeneous: toggle(
    "Heterogeneous data",
    "neighbours hold similar data, as when it is sorted by label over the nodes",
  ),
  compute: number(0, 0, 100, "A gradient", "seconds to compute one"),
  kappa: number(2.5, 1, 1e6, "Condition", "how much steeper the steepest direction is", {
    symbol: "κ = L/μ",
    log: true,
  }),
  b: number(1, 0, 1e3, "Heterogeneity", "how far nodes' own gradients differ, in units of L‖x*‖", {
    symbol: "b",
    max: 100,
  }),
  sigma: number(0, 0, 1e3, "Gradient noise", "of one gradient, in the same units", { symbol: "σ", max: 100 }),

  // Runs. A folder that was opened by hand is in no address.
  /** The run of those that are served; the first where there is none. */
  run: perhaps(plain),
  /** What is under way and looked at, by its source. */
  live: perhaps(plain),
  /** The metric whose curves are drawn; the problem's own where there is none. */
  metric: perhaps(plain),
  against: choice("Against", "updates done, bytes sent per node, or seconds of communication", {
    updates: "updates",
    bytes: "bytes",
    seconds: "seconds",
  }),
};
