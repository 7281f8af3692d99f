/** The adviser and what it is made of. */

import { changes } from "./change.mjs";

const advice = ["advise/learning.test.ts", "advise/advise.test.ts"];
/** Choices among all rows take their time. */
const quick = "^(?!where choices were beaten)";

export const adviseMutants = [
  ...changes(
    "advise/learning.ts",
    advice,
    [
      ["a graph in parts arrives", "Math.max(best.rounds, roundsAt(largest, tolerance))", "best.rounds"],
      ["steps above 1", "return Math.min(1, 0.95", "return Math.min(3, 0.95"],
      ["EXTRA at any step", "condition === staticSymmetric ? 0 : 1", "condition === staticSymmetric ? 1 : 1"],
      ["the first step counts", "let safe = false;", "let safe = true;"],
      ["loss left out of runs", "{ drop: loss }", "{ drop: 0 }"],
      [
        "sorted data as if shuffled",
        "(!goal.heterogeneous || moments !== undefined)",
        "(true || moments !== undefined)",
      ],
      ["noise of one node", "/ (2 * n * d * h *", "/ (2 * d * h *"],
      ["noise that no step makes smaller", "(sigma ** 2 * g) /", "sigma ** 2 /"],
      ["the disagreement of a step of 1", "(g * bias.gain * b) ** 2", "(bias.gain * b) ** 2"],
      ["fresh noise does not settle", "(g * noise) ** 2", "0"],
      [
        "descent one iteration late",
        "if (left(middle) <= goal) high = middle;",
        "if (left(middle) < 0.5 * goal) high = middle;",
      ],
      ["a followed gain not scaled", "Math.sqrt(squares / (t - begun)) / size", "Math.sqrt(squares) / size"],
      ["gains are followed once", "level < 1.02 * before && level > 0.98 * before", "level > 0"],
      ["the network does not slow down what noise does", "(rounds * found.rounds) / alone", "rounds"],
      ["the last quarter foretells too much", "* last) : Number", "* 4 * last) : Number"],
    ],
    quick,
  ),
  ...changes(
    "advise/model-problem.ts",
    advice,
    [
      ["easier problems are not made alike", "shaped(drawn, 1, (found.L", "shaped(drawn, 1, 0 * (found.L"],
      ["harder problems are not stretched", "stretch *= kappa / found.kappa;", "stretch *= 1;"],
      ["gradients at the solution that do not cancel", "  centre(apart, d);\n", ""],
      ["heterogeneity of all nodes together", "(b * Math.sqrt(n)) /", "b /"],
      ["five blocks", "const BLOCKS = 10;", "const BLOCKS = 5;"],
      ["noise of every direction as large as of all", "sigma / Math.sqrt(d)", "sigma"],
    ],
    quick,
  ),
  ...changes("advise/consensus.ts", advice, [
    [
      "loss left out of moments",
      "const square = (1 - loss) * topology.moments.square + loss;",
      "const square = topology.moments.square;",
    ],
    ["slow graphs do not slow down by loss", "Math.ceil(rounds / (1 - loss))", "rounds"],
    [
      "a round too few",
      "Math.ceil(log(tolerance) / log(factor) - 1e-9)",
      "Math.floor(log(tolerance) / log(factor) - 1e-9)",
    ],
    ["bounds called exact", '"per-round norm": "at most"', '"per-round norm": "exact"'],
  ]),
  ...changes("advise/advise.ts", advice, [
    ["yields counted once (seconds)", "seconds: yields * network.seconds", "seconds: network.seconds"],
    ["yields counted once (bytes)", "bytes: yields * network.bytes", "bytes: network.bytes"],
    ["vectors of all yields in each", "question, vectors / yields)", "question, vectors)"],
    ["ranked by bytes when time is asked for", 'by === "time" ? [row.seconds', 'by !== "time" ? [row.seconds'],
    ["gradients are free", "compute * iterations", "0 * iterations"],
    [
      "nodes that agree on a drifting mean are advised",
      'if (topology.stochastic === "rows") return',
      "if (topology.stochastic === undefined && false) return",
    ],
  ]),
  ...changes("advise/check.ts", advice, [
    [
      "the check allows half as much again of what is exact",
      'certainty === "at most" ? 1 : 1.5',
      'certainty === "at most" ? 1.5 : 1.5',
    ],
    ["the check allows nothing to a sample", 'certainty === "at most" ? 1 : 1.5', 'certainty === "at most" ? 1 : 1'],
    ["the check looks at the same starts", "const OTHER = 1000;", "const OTHER = 0;"],
    ["one good update is enough", "if (square <= WINDOW * tolerance ** 2) return at;", "return at;"],
    ["what diverges arrives", "<= 1 ? reachedAt", "<= 1e9 ? reachedAt"],
  ]),
  ...changes(
    "advise/cost.ts",
    ["advise/cost.test.ts", "advise/learning.test.ts"],
    [
      ["a period's cheap beginning", "period * Math.floor(COUNTED / period)", "1"],
      ["loss costs an all-reduce nothing", "times / (1 - loss)", "times"],
      ["bandwidth upside down", "beta: 1 / bandwidth", "beta: bandwidth"],
    ],
  ),
  ...changes(
    "advise/sampled.ts",
    ["advise/learning.test.ts", "advise/sampled.test.ts"],
    [
      ["the best run instead of the median", "[Math.floor(values.length / 2)]", "[0]"],
      ["shifts not scaled", "(moved * Math.sqrt(n)) / errors[0]", "moved / errors[0]"],
      ["every run has one seed", "seed + run, most", "seed, most"],
    ],
  ),
  ...changes(
    "advise/candidates.ts",
    ["advise/candidates.test.ts", "advise/advise.test.ts"],
    [
      ["one peer too many", "if (maxDegree > degree) return", "if (maxDegree > degree + 1) return"],
      ["edges that go one way", "if (undirected && !topology.symmetric) return", "if (false) return"],
    ],
  ),
  ...changes(
    "theory/convergence.ts",
    ["theory/convergence.test.ts"],
    [
      ["the noise of DSGT without its gap", "(gap ** 6 * sigma ** 2)", "(gap ** 4 * sigma ** 2)"],
      [
        "the fastest term limits",
        "term.dominatedFrom > worst.dominatedFrom",
        "term.dominatedFrom < worst.dominatedFrom",
      ],
    ],
  ),
  ...changes(
    "theory/network-rate.ts",
    ["theory/convergence.test.ts", "theory/tables.test.ts"],
    [
      [
        "the period's bound without its length",
        "(1 - Math.min(1, periodNorm)) / period",
        "(1 - Math.min(1, periodNorm))",
      ],
    ],
  ),
];
