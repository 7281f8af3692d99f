/** The adviser and what it is made of. */

import { changes } from "./change.mjs";

const advice = ["advise/learning.test.ts", "advise/advise.test.ts"];

export const adviseMutants = [
  ...changes("advise/learning.ts", advice, [
    ["averaging faster than descent alone", "rounds: Math.max(rounds, alone)", "rounds"],
    ["descent alone where averaging is slower", "rounds: Math.max(rounds, alone)", "rounds: alone"],
    ["the largest eigenvalue of W, not of its lazy form", "(1 + eigenvalues.largest) / 2", "eigenvalues.largest"],
    [
      "loss left out of the mean",
      "const mean = (1 - goal.loss) * moments.mean + goal.loss;",
      "const mean = moments.mean;",
    ],
    ["loss left out of gains", "loss === 0 ? gain : gain + (loss * (1 + gain)) / (1 - loss)", "gain"],
    ["sorted data as if shuffled", "heterogeneous ? found.worst : found.rms", "found.rms"],
    [
      "lazy rounds with whole weights",
      'weights: round.weights.map(half) };\n    case "matching"',
      'weights: round.weights };\n    case "matching"',
    ],
    ["lazy means", "keep: (1 + round.keep) / 2", "keep: round.keep"],
    ["steps above 1", "Math.min(1, 1.2 / (0.5 + gain))", "1.2 / (0.5 + gain)"],
    ["noise of one node", "(g * kappa) / (2 * n)", "(g * kappa) / 2"],
  ]),
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
      '|| row.certainty === "at most" ? 1 : 1.5',
      '|| row.certainty === "at most" ? 1.5 : 1.5',
    ],
    [
      "the check allows nothing to a sample",
      '|| row.certainty === "at most" ? 1 : 1.5',
      '|| row.certainty === "at most" ? 1 : 1',
    ],
    ["the check looks at the same starts", "seed: question.seed + 1000", "seed: question.seed"],
    ["one good update is enough", "square <= WINDOW * tolerance ** 2", "errors[at] <= tolerance"],
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
