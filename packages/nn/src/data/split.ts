/**
 * Who holds what: the images of a data set spread over n nodes, each image with exactly one of them.
 *   iid:       a random order, cut into n parts of equal size (give or take one);
 *   shards:    sorted by label, cut into n s shards, s random ones for each node (McMahan et al. 2017);
 *   blocks:    sorted by label, cut into n parts in the order of the nodes, so that neighbours on a ring hold data alike;
 *   dirichlet: the images of every class in proportions drawn from Dirichlet(alpha) (Hsu et al. 2019): alpha large is
 *              nearly iid, alpha small gives every class to few nodes;
 *   dealt:     nobody's share stays: the data is dealt anew every epoch (schedule.ts).
 */

import type { AnyFamily, Options, Values } from "equitopo/internal/input";
import { InputError, integer, option, Registry, settle } from "equitopo/internal/input";
import { RandomStream, streams } from "equitopo/internal/random";
import { type Named, named } from "../options.ts";
import { dirichlet } from "./gamma.ts";

/** A split's name, or its name and its options. */
export type Split = Named;

/** The images of every node, by their number in the data set. */
export type Shares = readonly Int32Array[];

/** A member of the registry of splits. */
export interface SplitFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  /** The shares of n nodes; where it is left out, nobody's share stays: data is dealt anew every epoch. */
  shares?(labels: ArrayLike<number>, n: number, options: Values<O>, stream: RandomStream): Int32Array[];
}

export const defineSplit = <O extends Options>(member: SplitFamily<O>): SplitFamily<O> => member;

const iid = defineSplit({
  name: "iid",
  summary: "a random order, cut into n parts of equal size",
  options: {},
  shares: (labels, n, _options, stream) => cut(stream.permutation(labels.length), n),
});

const shards = defineSplit({
  name: "shards",
  summary: "sorted by label, cut into n s shards, s random ones for each node",
  options: { shards: option.whole(2, 1) },
  shares(labels, n, { shards }, stream) {
    if (n * shards > labels.length) {
      const rule = `${n} nodes with ${shards} shards each need ${n * shards} images`;
      throw new InputError(rule, labels.length, "use fewer shards or fewer nodes");
    }
    const parts = cut(byLabel(labels, stream), n * shards);
    const dealt = stream.permutation(n * shards);
    return Array.from({ length: n }, (_, node) => {
      const own = dealt.subarray(node * shards, (node + 1) * shards);
      return Int32Array.from([...own].flatMap((part) => [...parts[part]]));
    });
  },
});

/** Random within a label, so that the parts of one label differ from seed to seed. */
const byLabel = (labels: ArrayLike<number>, stream: RandomStream) =>
  stream.permutation(labels.length).sort((a, b) => labels[a] - labels[b]);

const blocks = defineSplit({
  name: "blocks",
  summary: "sorted by label, cut into n parts in the order of the nodes: neighbours hold data alike",
  options: {},
  shares: (labels, n, _options, stream) => cut(byLabel(labels, stream), n),
});

const dirichletSplit = defineSplit({
  name: "dirichlet",
  summary: "every class in proportions drawn from Dirichlet(alpha)",
  options: { alpha: { ...option.number(0.5, { min: 0, max: 1e6, open: "min" }), range: "(0, 1e6]" } },
  shares(labels, n, { alpha }, stream) {
    const classes = new Map<number, number[]>();
    for (const k of stream.permutation(labels.length)) {
      const members = classes.get(labels[k]);
      if (members === undefined) classes.set(labels[k], [k]);
      else members.push(k);
    }
    const shares: number[][] = Array.from({ length: n }, () => []);
    for (const label of [...classes.keys()].sort((a, b) => a - b)) {
      const members = classes.get(label) as number[];
      const proportions = dirichlet(stream, n, alpha);
      let sum = 0;
      let from = 0;
      for (let node = 0; node < n; node++) {
        sum += proportions[node];
        const to = node === n - 1 ? members.length : Math.min(members.length, Math.round(sum * members.length));
        for (; from < to; from++) shares[node].push(members[from]);
      }
    }
    // Every node needs data: one that has none takes an image from the node that has most.
    for (const share of shares) {
      if (share.length > 0) continue;
      const richest = shares.reduce((a, b) => (b.length > a.length ? b : a));
      share.push(richest.pop() as number);
    }
    return shares.map((share) => Int32Array.from(share));
  },
});

const dealt = defineSplit({
  name: "dealt",
  summary: "dealt anew over the nodes in every epoch, as the paper's experiments ran",
  options: {},
});

export const splits = new Registry<SplitFamily>("split", [iid, shards, blocks, dirichletSplit, dealt] as SplitFamily[]);

/**
 * The shares of n nodes.
 *
 * @example
 * ```ts
 * import { splitData } from "@equitopo/nn";
 * const labels = Uint8Array.from({ length: 100 }, (_, k) => k % 10);
 * splitData(labels, 4, "iid", 1).map((share) => share.length).join() // => "25,25,25,25"
 * ```
 */
export function splitData(labels: ArrayLike<number>, n: number, split: Split, seed: number): Shares {
  const { member, values } = chooseSplit(split);
  if (member.shares === undefined) {
    throw new InputError(`${member.name} leaves nobody a share`, member.name, "choose another split");
  }
  integer("the number of nodes", n, 1);
  if (labels.length < n) {
    throw new InputError(`${n} nodes need at least ${n} images`, labels.length, "use fewer nodes or more data");
  }
  return member.shares(labels, n, values, new RandomStream(seed, streams.split));
}

/** The member that a spec names, and its options. */
export function chooseSplit(split: Split): { member: SplitFamily; values: Values<Options> } {
  const { name, options } = named("split", split);
  const member = splits.get(name);
  return { member, values: settle(name, member.options, options) };
}

/** `count` consecutive parts that differ in size by at most one. */
function cut(order: Int32Array, count: number): Int32Array[] {
  const edge = (k: number) => Math.floor((k * order.length) / count);
  return Array.from({ length: count }, (_, k) => order.slice(edge(k), edge(k + 1)));
}

/** How many images of every class each node holds: one row a node. */
export function labelCounts(labels: ArrayLike<number>, shares: Shares, classes: number): number[][] {
  return shares.map((share) => {
    const row = new Array<number>(classes).fill(0);
    for (const k of share) row[labels[k]]++;
    return row;
  });
}
