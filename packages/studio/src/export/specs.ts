/**
 * What the views show, elsewhere: the command lines that compute the same numbers, and a spec that trains over the same
 * topologies, with the same losses and seed.
 */

import { parseSpec, type SpecDocument, type TopologySpec, topologies } from "equitopo";
import type { Exported } from "../page.ts";
import type { Chosen } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";

/** An option of a topology on a command line: --m 9, --basis 1,5, --lazy. */
export function flag([key, value]: [string, unknown]): string[] {
  const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [name];
  return value === false ? [] : [`${name} ${Array.isArray(value) ? value.join() : String(value)}`];
}

const during = (from: number, until: number | undefined) => (until === undefined ? `:${from}` : `:${from}:${until}`);

/** A command and the topology that it is about. */
function words({ name, ...options }: Chosen, command: string, n: number): string[] {
  if (name === "file") return [`equitopo ${command} --file ${options["path"]}`];
  return [`equitopo ${command} ${name} --n ${n}`, ...Object.entries(options).flatMap(flag)];
}

export function gossipCommands(view: View): string[] {
  const { n, d, rounds, seed, drop, push, kill, cut, start } = view;
  const crash = kill.filter(({ node }) => node < n).map(({ node, from, until }) => `${node}${during(from, until)}`);
  const cuts = cut
    .filter(({ pair }) => Math.max(...pair) < n)
    .map(({ pair, from, until }) => `${pair.join("-")}${during(from, until)}`);
  return view.topology.map(({ name, ...options }) =>
    [
      ...words({ name, ...options }, "gossip", n),
      `--dim ${d} --rounds ${rounds}`,
      ...(start === "normal" ? [] : [`--start ${start}`]),
      ...("seed" in options ? [] : [`--seed ${seed}`]),
      ...(drop > 0 ? [`--drop ${drop}`] : []),
      ...(crash.length > 0 ? [`--crash ${crash.join()}`] : []),
      ...(cuts.length > 0 ? [`--cut ${cuts.join()}`] : []),
      ...(push && !mixesPairs({ name }) ? ["--push-sum"] : []),
    ].join(" "),
  );
}

export function exportGossip(view: View): Exported {
  const { n, seed, drop, rounds } = view;
  const { topologies, algorithm } = trainable(view.topology, n, "dsgt");
  return {
    says: `Decentralised learning: least squares by ${algorithm} over the topologies that it is for, with the same losses and seed.`,
    commands: gossipCommands(view),
    document: parseSpec({
      title: `${topologies.map(({ name }) => name).join(", ")} on ${n} nodes`,
      topologies,
      algorithms: [{ name: algorithm, learningRate: 0.01 }],
      problem: { name: "least-squares" },
      rounds,
      seeds: [seed],
      ...(drop > 0 ? { faults: { drop } } : {}),
    }),
  };
}

export function exportSpectrum({ graph, n, seed }: Pick<View, "graph" | "n" | "seed">): Exported {
  // A basis is drawn from the view's seed: without it the command would show another topology.
  const drawn = "seed" in graph ? [] : [`--seed ${seed}`];
  return {
    document: leastSquares([graph], n, seed),
    commands: [[...words(graph, "rate", n), ...drawn].join(" ")],
    says: "The topology of the view, with a problem to run over it.",
  };
}

/** Families whose W(t) are not doubly stochastic have an algorithm each that is made for them. */
const special: Record<string, string> = { "ceca-1p": "dsgd-ceca", "ceca-2p": "dsgd-ceca", "el-local": "epidemic" };

/** Whether rounds of it mix two vectors a node, which needs no push-sum and takes none. */
const mixesPairs = ({ name }: Chosen): boolean => special[name] === "dsgd-ceca";

/** The topologies as specs write them. The first decides: a spec runs every algorithm over every topology. */
function trainable(chosen: readonly Chosen[], n: number, usual: string) {
  const possible = chosen.filter(({ name }) => topologies.get(name).refuses?.(n) === undefined);
  const asked = possible.length === 0 ? chosen : possible;
  const algorithm = special[asked[0].name] ?? usual;
  const fitting = asked.filter(({ name }) => (special[name] ?? usual) === algorithm);
  // A spec names a file; the graph itself is in it.
  const specs = fitting.map(({ name, graph, ...rest }): TopologySpec => {
    return { name, n, ...rest, ...(graph === undefined || name === "file" ? {} : { graph }) };
  });
  return { topologies: specs, algorithm };
}

/** A problem to run over these topologies, as far as they go together. */
export function leastSquares(chosen: readonly Chosen[], n: number, seed: number): SpecDocument {
  const { topologies, algorithm } = trainable(chosen, n, "dsgd");
  return parseSpec({
    topologies,
    algorithms: [{ name: algorithm }],
    problem: { name: "least-squares" },
    seeds: [seed],
  });
}
