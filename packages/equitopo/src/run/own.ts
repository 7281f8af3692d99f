/**
 * Objects in a spec: where a document names a topology, an algorithm or a problem, a program (or a .mjs file) may put the
 * object itself. It becomes a member of its registry for this process and is then spoken of by name, so a run with such a
 * part can be done here, and nowhere else: no other thread and no peer has the object.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms } from "../algorithm/registry.ts";
import { InputError } from "../input/input.ts";
import type { Member, Registry } from "../input/registry.ts";
import type { Problem } from "../problem/problem.ts";
import { problems } from "../problem/registry.ts";
import { topologies } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";

/** The names that objects have got, so that one that comes again is known. */
const names = new WeakMap<object, string>();

export const isTopology = (part: unknown): part is Topology => has(part, "peers");
export const isProblem = (part: unknown): part is Problem => has(part, "gradient");
export const isAlgorithm = (part: unknown): part is Algorithm => has(part, "start");

function has(part: unknown, method: string): boolean {
  return typeof (part as Record<string, unknown> | null)?.[method] === "function";
}

/** The name of a topology of your own, by which createTopology finds it. */
export function nameTopology(topology: Topology): string {
  return named(topologies, topology, (name) => {
    const { n, kind, directed, symmetric, maxDegree, period } = topology;
    const renamed: Topology = {
      ...{ name, n, kind, directed, symmetric, maxDegree, period, spec: { name, n } },
      ...saidBeside(topology),
      round: (t) => topology.round(t),
      peers: (t, i) => topology.peers(t, i),
      rate: () => topology.rate(),
    };
    return {
      source: "your own",
      ...(kind === "random" ? { random: true as const } : {}),
      create({ n: wanted }) {
        requireN(wanted, n, "topology");
        return renamed;
      },
    };
  });
}

/** What a topology may say of itself, as far as it does. */
function saidBeside(topology: Topology): Partial<Topology> {
  const facts = ["stochastic", "exactAfter", "block", "moments", "draws"] as const;
  const said = facts.filter((fact) => topology[fact] !== undefined).map((fact) => [fact, topology[fact]]);
  const methods = ["norm", "pair"] as const;
  const done = methods
    .filter((method) => topology[method] !== undefined)
    .map((method) => [method, (count: number) => topology[method]?.(count)]);
  return Object.fromEntries([...said, ...done]);
}

/** The name of a problem of your own, by which createProblem finds it. */
export function nameProblem(problem: Problem): string {
  return named(problems, problem, () => {
    const { n, d, epoch } = problem;
    const recorded = Object.keys(problem.metrics(new Float64Array(n * d)));
    return {
      source: "your own",
      metric: recorded.includes("loss") ? "loss" : recorded[0],
      create: () => problem,
      check({ n: wanted }) {
        requireN(wanted, n, "problem");
        return epoch === undefined ? {} : { epoch };
      },
    };
  });
}

/** The name of an algorithm of your own, by which createAlgorithm finds it. */
export function nameAlgorithm(algorithm: Algorithm): string {
  return named(algorithms, algorithm, () => algorithm);
}

/** The object's own name, or the first of name-2, name-3, ... that is free. */
function named<M extends Member>(
  registry: Registry<M>,
  part: object & { readonly name: string },
  member: (name: string) => Omit<M, keyof Member> & Partial<Member>,
): string {
  const known = names.get(part);
  if (known !== undefined) return known;
  let name = part.name;
  for (let k = 2; registry.has(name); k++) name = `${part.name}-${k}`;
  registry.add({ summary: "your own", options: {}, ...member(name), name } as unknown as M);
  names.set(part, name);
  return name;
}

function requireN(wanted: number, n: number, what: string): void {
  if (wanted !== n) throw new InputError(`n must be that of the ${what}, ${n}`, wanted, "leave it out");
}
