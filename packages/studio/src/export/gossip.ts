/**
 * What gossip on the page is elsewhere: the command lines that compute the same numbers, and a spec that trains over the
 * same topologies, with the same losses and seed.
 */

import type { Exported } from "../page.ts";
import type { View } from "../view.ts";
import { mixesPairs, trainable } from "./trainable.ts";

/** An option of a topology on a command line: --m 9, --basis 1,5, --lazy. */
export function flag([key, value]: [string, unknown]): string[] {
  const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [name];
  return value === false ? [] : [`${name} ${Array.isArray(value) ? value.join() : String(value)}`];
}

const during = (from: number, until: number | undefined) => (until === undefined ? `:${from}` : `:${from}:${until}`);

/** One command for each topology. */
export function gossipCommands(view: View): string[] {
  const { n, d, rounds, seed, drop, push, kill, cut, start } = view;
  const crash = kill.filter(({ node }) => node < n).map(({ node, from, until }) => `${node}${during(from, until)}`);
  const cuts = cut
    .filter(({ pair }) => Math.max(...pair) < n)
    .map(({ pair, from, until }) => `${pair.join("-")}${during(from, until)}`);
  return view.topology.map(({ name, ...options }) =>
    [
      `equitopo gossip ${name} --n ${n}`,
      ...Object.entries(options).flatMap(flag),
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
    document: {
      title: `${topologies.map(({ name }) => name).join(", ")} on ${n} nodes`,
      topologies,
      algorithms: [{ name: algorithm, learningRate: 0.01 }],
      problem: { name: "least-squares" },
      rounds,
      seeds: [seed],
      ...(drop > 0 ? { faults: { drop } } : {}),
    },
  };
}
