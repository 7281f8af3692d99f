/** Topologies to train over: an algorithm that fits, and those of them that it fits. */

import { type TopologySpec, topologies } from "equitopo";
import type { Chosen } from "../topology-field.ts";

/** Families whose W(t) are not doubly stochastic have an algorithm each that is made for them. */
const special: Record<string, string> = { "ceca-1p": "dsgd-ceca", "ceca-2p": "dsgd-ceca", "el-local": "epidemic" };

/** Whether rounds of it mix two vectors a node, which needs no push-sum and takes none. */
export const mixesPairs = ({ name }: Chosen): boolean => special[name] === "dsgd-ceca";

interface Trainable {
  /** As specs write them. */
  readonly topologies: readonly TopologySpec[];
  readonly algorithm: string;
}

/** The first topology decides: a spec runs every algorithm over every topology, and one that does not fit stops it. */
export function trainable(chosen: readonly Chosen[], n: number, usual: string): Trainable {
  const possible = chosen.filter(({ name }) => topologies.get(name).refuses?.(n) === undefined);
  const asked = possible.length === 0 ? chosen : possible;
  const algorithm = special[asked[0].name] ?? usual;
  const fitting = asked.filter(({ name }) => (special[name] ?? usual) === algorithm);
  return { topologies: fitting.map(({ name, ...options }) => ({ name, n, ...options })), algorithm };
}
