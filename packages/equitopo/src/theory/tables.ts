/**
 * The paper's three tables of convergence rates and transient iterations (DSGT in section 5.2, DSGD in Appendix C.2):
 * its asymptotic forms as printed, beside transient iterations computed for chosen n from each topology's exact rate
 * with the theorems' hidden constants taken as 1.
 */

import { oneOf, onlyKeys } from "../input/input.ts";
import { createTopology, topologies } from "../topology/registry.ts";
import type { TopologySpec } from "../topology/topology.ts";
import { convergence, type TheoryMethod, type TheorySetting, type TheoryTerm } from "./convergence.ts";
import { type BetaSource, type NetworkRate, networkRate } from "./network-rate.ts";

/** The tables of the paper that theoryTable makes anew. */
export const theoryTableNames = ["table-dsgt", "table-dsgd-nonconvex", "table-dsgd-convex"] as const;
export type TheoryTableName = (typeof theoryTableNames)[number];

export interface TheoryTableOptions extends Omit<TheorySetting, "n" | "beta"> {
  /** The network sizes to compute; default 16, 64, 256, 1024. */
  readonly n?: readonly number[];
  /** Of the graphs that are drawn. */
  readonly seed?: number;
  /** The beta of topologies that repeat; by default the smaller of round and period. */
  readonly beta?: BetaSource;
  /** Basis graphs of D- and U-EquiStatic at size n; default ceil(log2 n). */
  readonly m?: (n: number) => number;
}

export interface TheoryTable {
  readonly name: TheoryTableName;
  readonly caption: string;
  readonly method: TheoryMethod;
  readonly rows: readonly TheoryRow[];
}

/** One line of the paper's table. */
export interface TheoryRow {
  /** As the paper calls it. */
  readonly topology: string;
  /** The asymptotic forms, as printed. */
  readonly communication: string;
  readonly convergenceRate: string;
  readonly transientIterations: string;
  /** One entry for each of its topologies and each n. */
  readonly numbers: readonly TheoryNumbers[];
}

export interface TheoryNumbers {
  readonly name: string;
  readonly n: number;
  readonly spec: TopologySpec;
  /** The most peers that a node receives from in a round. */
  readonly degree: number;
  readonly beta: number;
  /** Whether beta comes from single rounds or from whole periods. */
  readonly from: NetworkRate["from"];
  /** Periodic sequences: the geometric mean per round, and what it would give in beta's place. */
  readonly geometricMean?: { readonly beta: number; readonly transientIterations: number };
  readonly transientIterations: number;
  readonly limitedBy: TheoryTerm["name"];
}

interface PaperRow {
  readonly topology: string;
  readonly names: readonly string[];
  /** Whether `m` says how many basis graphs they have: the others take the full basis. */
  readonly sized?: true;
  readonly communication: string;
  /** Rate and transient iterations in each table. */
  readonly forms: Readonly<Record<TheoryMethod, readonly [rate: string, transient: string]>>;
}

const exponential: PaperRow["forms"] = {
  dsgt: ["sigma/sqrt(nT) + ln(n) sigma^(2/3)/T^(2/3) + ln^2(n)/T", "O(n^3 ln^6(n))"],
  "dsgd-nonconvex": [
    "sigma/sqrt(nT) + ln^(1/3)(n) sigma^(2/3)/T^(2/3) + ln^(2/3)(n) b^(2/3)/T^(2/3) + ln(n)/T",
    "O(n^3 ln^4(n))",
  ],
  "dsgd-convex": ["sigma^2/(nT) + kappa ln(n) sigma^2/T^2 + kappa ln^2(n) b^2/T^2", "O~(kappa n ln^2(n))"],
};

const equi: PaperRow["forms"] = {
  dsgt: ["sigma/sqrt(nT) + (sigma/T)^(2/3) + 1/T", "O(n^3)"],
  "dsgd-nonconvex": ["sigma/sqrt(nT) + sigma^(2/3)/T^(2/3) + b^(2/3)/T^(2/3) + 1/T", "O(n^3)"],
  "dsgd-convex": ["sigma^2/(nT) + kappa sigma^2/T^2 + kappa b^2/T^2", "O~(kappa n)"],
};

const paperRows: readonly PaperRow[] = [
  {
    topology: "Ring",
    names: ["ring"],
    communication: "Theta(1)",
    forms: {
      dsgt: ["sigma/sqrt(nT) + n^2 sigma^(2/3)/T^(2/3) + n^4/T", "O(n^15)"],
      "dsgd-nonconvex": ["sigma/sqrt(nT) + n^(2/3) sigma^(2/3)/T^(2/3) + n^(4/3) b^(2/3)/T^(2/3) + n^2/T", "O(n^11)"],
      "dsgd-convex": ["sigma^2/(nT) + kappa n^2 sigma^2/T^2 + kappa n^4 b^2/T^2", "O~(kappa n^5)"],
    },
  },
  {
    topology: "Torus",
    names: ["torus"],
    communication: "Theta(1)",
    forms: {
      dsgt: ["sigma/sqrt(nT) + n sigma^(2/3)/T^(2/3) + n^2/T", "O(n^9)"],
      "dsgd-nonconvex": ["sigma/sqrt(nT) + n^(1/3) sigma^(2/3)/T^(2/3) + n^(2/3) b^(2/3)/T^(2/3) + n/T", "O(n^7)"],
      "dsgd-convex": ["sigma^2/(nT) + kappa n sigma^2/T^2 + kappa n^2 b^2/T^2", "O~(kappa n^3)"],
    },
  },
  { topology: "Static Exp.", names: ["static-exp"], communication: "Theta(ln(n))", forms: exponential },
  { topology: "O.-P. Exp.", names: ["one-peer-exp"], communication: "1", forms: exponential },
  {
    topology: "D(U)-EquiStatic",
    names: ["d-equistatic", "u-equistatic"],
    sized: true,
    communication: "Theta(ln(n))",
    forms: equi,
  },
  { topology: "OD (OU)-EquiDyn", names: ["od-equidyn", "ou-equidyn"], communication: "1", forms: equi },
];

const captions: Record<TheoryMethod, string> = {
  dsgt: "DSGT, non-convex",
  "dsgd-nonconvex": "DSGD, non-convex",
  "dsgd-convex": "DSGD, strongly convex",
};

/**
 * One of the paper's tables of the theory, with numbers for the given n.
 *
 * @example
 * ```ts
 * import { theoryTable } from "equitopo/theory";
 * const { rows } = theoryTable("table-dsgd-nonconvex", { n: [256] });
 * rows[0].topology + " " + rows[0].transientIterations // => "Ring O(n^11)"
 * rows[5].numbers.map(({ name, beta }) => name + " " + beta.toFixed(3)).join() // => "od-equidyn 0.706,ou-equidyn 0.757"
 * ```
 */
export function theoryTable(name: TheoryTableName, options: TheoryTableOptions = {}): TheoryTable {
  oneOf("table", name, theoryTableNames);
  onlyKeys(name, options, ["n", "sigma", "b", "kappa", "seed", "m", "beta"]);
  const { n: sizes = [16, 64, 256, 1024], seed = 0, m, beta: source, ...setting } = options;
  const method = name.slice("table-".length) as TheoryMethod;
  const numbersOf = (family: string, n: number, sized = false): TheoryNumbers => {
    const drawn = "seed" in topologies.get(family).options ? { seed } : {};
    const topology = createTopology({ name: family, n, ...drawn, ...(sized && m !== undefined ? { m: m(n) } : {}) });
    const { beta, from, geometricMean } = networkRate(topology, topology.kind === "periodic" ? source : undefined);
    const at = (rate: number) => convergence(method, { ...setting, n, beta: rate });
    const { transientIterations, limitedBy } = at(beta);
    return {
      name: family,
      n,
      spec: topology.spec,
      degree: topology.maxDegree,
      beta,
      from,
      ...(geometricMean === undefined
        ? {}
        : { geometricMean: { beta: geometricMean, transientIterations: at(geometricMean).transientIterations } }),
      transientIterations,
      limitedBy,
    };
  };
  return {
    name,
    caption: `${captions[method]}: communication, convergence rate and transient iterations over different topologies`,
    method,
    rows: paperRows.map(({ topology, names, sized, communication, forms }) => ({
      topology,
      communication,
      convergenceRate: forms[method][0],
      transientIterations: forms[method][1],
      numbers: names.flatMap((family) => sizes.map((n) => numbersOf(family, n, sized))),
    })),
  };
}
