/**
 * Objects in a spec: instead of the name of a topology, an algorithm or a problem, a program (or a .mjs file) may give the
 * object itself. It is registered for this process and has a name from then on. A run with such a part can be done in this
 * process only: no other thread and no peer has the object.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms } from "../algorithm/registry.ts";
import { InputError } from "../input/input.ts";
import type { AnyFamily, Registry } from "../input/registry.ts";
import type { Problem } from "../problem/problem.ts";
import { problems } from "../problem/registry.ts";
import { topologies } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";

/** The names that objects were given, so that an object that is used again is recognised. */
const names = new WeakMap<object, string>();

export const isTopology = (part: unknown): part is Topology => has(part, "peers");
export const isProblem = (part: unknown): part is Problem => has(part, "gradient");
export const isAlgorithm = (part: unknown): part is Algorithm => has(part, "start");

const has = (part: unknown, method: string): boolean =>
  typeof (part as Record<string, unknown> | null)?.[method] === "function";

/** Registers a topology of your own; returns the name by which createTopology finds it. */
export function nameTopology(topology: Topology): string {
  return named(topologies, topology, (name) => {
    const { n, kind } = topology;
    const renamed = { ...delegateOf(topology), name, spec: { name, n } };
    const create = ({ n: wanted }: { readonly n: number }) => {
      requireN(wanted, n, "topology");
      return renamed;
    };
    return { source: "your own", ...(kind === "random" ? { random: true as const } : {}), create };
  });
}

/** All properties of an object, inherited ones too; its methods are called on the object itself. */
function delegateOf<T extends object>(part: T): T {
  const found: Record<string, unknown> = {};
  for (let owner = part; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Object.getOwnPropertyNames(owner)) {
      if (key === "constructor" || key in found) continue;
      const value = (part as Record<string, unknown>)[key];
      found[key] = typeof value === "function" ? value.bind(part) : value;
    }
  }
  return found as T;
}

/** Registers a problem of your own; returns the name by which createProblem finds it. */
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

/** Registers an algorithm of your own; returns the name by which createAlgorithm finds it. */
export const nameAlgorithm = (algorithm: Algorithm): string => named(algorithms, algorithm, () => algorithm);

/** The object's own name, or the first of name-2, name-3, ... that is free. */
function named<M extends AnyFamily>(
  registry: Registry<M>,
  part: object & { readonly name: string },
  member: (name: string) => Omit<M, keyof AnyFamily> & Partial<AnyFamily>,
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
