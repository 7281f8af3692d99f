/** Families of topologies. */

import { changes } from "./change.mjs";

/** Slow for all families: each change names those that it concerns. */
const laws = ["topology/topology-laws.test.ts", "rate/exact-rates.test.ts"];

export const topologyMutants = [
  ...changes(
    "topology/matching.ts",
    ["topology/matching.test.ts"],
    [
      [
        "the node's partner of the wrong parity",
        "if ((last & 1) === 0 && d === last) return i;",
        "if ((last & 1) === 1 && d === last) return i;",
      ],
      ["an odd cycle's last node is matched", "if (length % 2 === 1 && m === length - 1) return i;", ""],
      ["backward differences counted from s", "2 * v <= n ? i - s : i - s + q", "i - s"],
      [
        "pairs that are taken are taken again",
        "if (partner[i] === i && partner[j] === j) {",
        "if (partner[j] === j) {",
      ],
    ],
  ),
  ...changes(
    "topology/basis.ts",
    laws,
    [
      ["indices from 0 to n - 2", "() => 1 + random.below(n - 1))", "() => random.below(n - 1))"],
      ["multiplicities forgotten", "counts.set(u, (counts.get(u) ?? 0) + 1)", "counts.set(u, 1)"],
    ],
    "equistatic|equidyn",
  ),
  ...changes(
    "topology/one-peer-exp.ts",
    ["topology/weights.test.ts", ...laws],
    [
      [
        "the period's norm without its last shift",
        "for (let l = 0, m = k; l < period; l++,",
        "for (let l = 1, m = k; l < period; l++,",
      ],
      ["exact for every n", "2 ** period === n && !isLazy", "!isLazy"],
      [
        "even n contract in every round",
        "const rate = n % 2 === 0 && n > 2 ? 1",
        "const rate = n % 2 === 0 && n > 1e9 ? 1",
      ],
      ["random orders that repeat", "random.at((t - place) / period)", "random.at(0)"],
    ],
    "one-peer-exp",
  ),
  ...changes(
    "topology/power-shifts.ts",
    [...laws, "topology/finite-time.test.ts"],
    [
      ["one shift too many", "found.length < b - 1; at", "found.length < b; at"],
      ["labels met twice weigh once", "(turns + (multiple < b % count ? 1 : 0)) / b", "turns / b"],
      ["whole periods counted once", "...window(period, whole), ", "...window(period, Math.min(1, whole)), "],
    ],
    "k-peer-exp|doubling",
  ),
  ...changes(
    "topology/weights.ts",
    ["topology/weights.test.ts", ...laws],
    [
      ["the best constant too large", "Math.min(2 / spread, 1 / (1 - smallestSelf))", "2 / spread"],
      [
        "the smallest eigenvalue does not count",
        "Math.max(Math.abs(eigenvalues.largest), Math.abs(eigenvalues.smallest))",
        "Math.abs(eigenvalues.largest)",
      ],
      ["the gap of the base", "{ gap: factor * gap }", "{ gap }"],
      ["lazy graphs that are not", 'spec["lazy"] === true ? 0.5 : 1', "1"],
    ],
    "ring|torus|star|grid|hypercube",
  ),
  ...changes(
    "topology/torus.ts",
    laws,
    [["the gap of the faster side", "gap: Math.min(...gaps)", "gap: Math.max(...gaps)"]],
    "torus",
  ),
  ...changes(
    "topology/de-bruijn.ts",
    laws,
    [
      ["one label too few in a row", "const last = first + p - 1;", "const last = first + p - 2;"],
      ["asymptotic rate of all n", "const asymptotic = exact ? 0 : weight;", "const asymptotic = weight;"],
    ],
    "de-bruijn",
  ),
  ...changes(
    "topology/random-permutations.ts",
    ["topology/weights.test.ts", ...laws],
    [["the second draw repeats the first", ".at(attempt * d + k)", ".at(attempt * d)"]],
    "random-permutations",
  ),
  ...changes(
    "topology/relabel.ts",
    ["topology/weights.test.ts", ...laws, "topology/relabel.test.ts"],
    [
      ["a block of one round", "const block = exactAfter ?? period;", "const block = exactAfter ?? 1;"],
      ["blocks that go on in the cycle", "block % period === 0 ? topology : restarted(topology, block)", "topology"],
      [
        "exact blocks that keep something",
        "topology.exactAfter === undefined ? productSquare(rounds) : 0",
        "productSquare(rounds)",
      ],
    ],
    "label",
  ),
  ...changes(
    "topology/hierarchy.ts",
    ["topology/weights.test.ts", ...laws, "topology/hierarchy.test.ts"],
    [
      ["exact though groups differ", "...(equal ? { exactAfter, norm } : {})", "...{ exactAfter, norm }"],
      [
        "degree without the largest group",
        "sizes.slice(0, between.maxDegree + 1)",
        "sizes.slice(1, between.maxDegree + 2)",
      ],
      [
        "the rate of V where groups differ",
        "equal ? equalRate(n, between) : unequalRate",
        "true ? equalRate(n, between) : unequalRate",
      ],
      ["zeros forgotten beside V's eigenvalues", "smallest: Math.min(0, smallest)", "smallest"],
    ],
    "hierarchy|groups|rate|degree",
  ),
  ...changes(
    "topology/designed-static.ts",
    ["topology/weights.test.ts", "topology/designed.test.ts"],
    [
      ["weights beyond 1", "if (!(rest >= -1e-8)) throw", "if (false) throw"],
      ["an own weight below 0", "self: self ?? Math.max(0, rest),", "self: self ?? rest,"],
      ["shifts that are no integers", "if (Number.isInteger(u) && u !== 0", "if (u !== 0"],
    ],
  ),
  ...changes(
    "topology/designed-one-peer.ts",
    [...laws, "topology/designed.test.ts"],
    [["exact one round late", "while (norm(rounds) !== 0) rounds++;", "while (norm(rounds - 1) !== 0) rounds++;"]],
    "designed|exact",
  ),
  ...changes(
    "round/round.ts",
    [...laws, "round/kernel-mixer.test.ts"],
    [
      [
        "complete graphs that do not say so",
        "Math.abs(weight - 1 / n) <= n * 2 ** -52",
        "Math.abs(weight - 1 / n) <= 0",
      ],
      [
        "mean rounds that keep nothing of their own",
        "return round.keep + (1 - round.keep) / round.n;",
        "return round.keep;",
      ],
      ["shifts in the other direction", "(i < u ? i - u + n : i - u)", "(i + u) % n"],
    ],
    "ring|complete|one-peer-exp|random-matching|mixer",
  ),
  ...changes(
    "topology/plan/plan.ts",
    ["topology/plan.test.ts"],
    [
      [
        "plans that were changed are read",
        "if (found === hash) return",
        "if (found !== hash || found === hash) return",
      ],
      [
        "the hash is without n",
        "canonicalHash({ format: planFormat, version: planVersion, n, rule })",
        "canonicalHash({ rule })",
      ],
    ],
  ),
  ...changes(
    "topology/plan/canonical.ts",
    ["topology/plan.test.ts"],
    [["members in the order they were written", ".sort(([a], [b]) => (a < b ? -1 : 1))", ""]],
  ),
  ...changes(
    "topology/plan/rule-of.ts",
    ["topology/plan.test.ts"],
    [
      ["shuffled periods as if they came in order", " || !repeatsInOrder(topology)", ""],
      ["weights beside their edges", "place(selfWeight(round, i))", "place(0)"],
    ],
  ),
  ...changes(
    "topology/plan/drawn.ts",
    ["topology/plan.test.ts"],
    [
      ["a period in one order", "random.at((t - place) / period)", "random.at(0)"],
      ["long periods are exact", "left(period - 1) > 1e-3", "left(period - 1) >= 0"],
      ["partners of nobody", "wrong >= 0)", "wrong > n)"],
      ["any two vectors", "canonicalHash(ruleOf(known, 1)) === canonicalHash(rule)", "ruleOf(known, 1) !== rule"],
    ],
  ),
];
