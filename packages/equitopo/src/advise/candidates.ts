/**
 * Every registered topology that fits: one that takes n, has no more peers in a round than allowed, and is undirected
 * where that is asked for; in the variants that its family names, each relabelled as well where it can be. What is left
 * out is left out for a reason, and the reasons are kept.
 */

import { InputError } from "../input/input.ts";
import { ceilLog2 } from "../number/integers.ts";
import { buildTopology, optionsOf, topologies } from "../topology/registry.ts";
import type { Topology, TopologyFamily, TopologySpec } from "../topology/topology.ts";
import type { AdviseOptions } from "./question.ts";

export interface CandidateOptions extends Pick<AdviseOptions, "n" | "degree" | "undirected" | "seed"> {
  /** The families to look at; all that are registered if left out. */
  readonly families?: Iterable<TopologyFamily>;
}

export interface Candidate {
  readonly family: TopologyFamily;
  readonly topology: Topology;
  /** Its name and the options that set it apart: "base k=4 relabel". */
  readonly label: string;
}

/** What does not fit, and why. */
export interface Exclusion {
  readonly label: string;
  readonly reason: string;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Those that fit, in the registry's order, and those that do not. O(what it costs to build them).
 *
 * @example
 * ```ts
 * import { candidates } from "equitopo/advise";
 * const { fits, excluded } = candidates({ n: 12, degree: 2, undirected: true });
 * fits.some(({ label }) => label === "ring") // => true
 * excluded.find(({ label }) => label === "hypercube")?.reason // => "needs a power of 2"
 * ```
 */
export function candidates(options: CandidateOptions): { fits: Candidate[]; excluded: Exclusion[] } {
  const fits: Candidate[] = [];
  const excluded: Exclusion[] = [];
  for (const family of options.families ?? topologies) {
    const refused = family.refuses?.(options.n);
    // What its defaults refuse, a variant may take.
    if (refused !== undefined && family.variants === undefined) {
      excluded.push({ label: family.name, reason: refused });
      continue;
    }
    const tried = variantsOf(family, options).map((given) => tryVariant(family, given, options));
    const chosen = tried.filter((one): one is Candidate => "topology" in one);
    fits.push(...chosen);
    // A family of which something fits is not excluded; of one that does not fit at all, the first try came closest.
    const reasons = tried.filter((one): one is Exclusion => "reason" in one);
    if (chosen.length === 0) excluded.push({ label: family.name, reason: reasons[0].reason });
  }
  return { fits, excluded };
}

/** The specs of all that is tried, before anything of it is built. */
export function candidateSpecs(options: CandidateOptions): TopologySpec[] {
  const families = [...(options.families ?? topologies)];
  return families.flatMap((family) => variantsOf(family, options).map((given) => specOf(family, given, options)));
}

function specOf(family: TopologyFamily, given: Given, { n, seed = 0 }: CandidateOptions): TopologySpec {
  const drawn = "seed" in optionsOf(family, given) ? { seed } : {};
  return { ...drawn, ...given, name: family.name, n };
}

/** The sets of options to try, each once: the family's own, and each of them relabelled. */
function variantsOf(family: TopologyFamily, { n, degree }: CandidateOptions): Given[] {
  const plain = family.variants?.(n, degree ?? ceilLog2(n)) ?? [{}];
  const all = "relabel" in optionsOf(family) ? plain.flatMap((given) => [given, { ...given, relabel: true }]) : plain;
  const seen = new Set<string>();
  return all.filter((given) => seen.size < seen.add(JSON.stringify(given)).size);
}

function tryVariant(family: TopologyFamily, given: Given, options: CandidateOptions): Candidate | Exclusion {
  const { degree = Number.POSITIVE_INFINITY, undirected = false } = options;
  const label = labelOf(family.name, given);
  let topology: Topology;
  try {
    topology = buildTopology(family, specOf(family, given, options));
  } catch (error) {
    if (error instanceof InputError) return { label, reason: error.rule };
    throw error;
  }
  const { maxDegree } = topology;
  if (maxDegree > degree) return { label, reason: `${maxDegree} peers in a round, more than ${degree}` };
  if (undirected && !topology.symmetric) return { label, reason: "some edges go one way only" };
  return { family, topology, label };
}

/** "base k=4 relabel". */
function labelOf(name: string, given: Given): string {
  const words = Object.entries(given).map(([key, value]) => (value === true ? key : `${key}=${value}`));
  return [name, ...words].join(" ");
}
