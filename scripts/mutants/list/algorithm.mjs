/** Algorithms, their passes, schedules, compressors, the meter; problems. */

import { changes } from "./change.mjs";

const laws = ["algorithm/algorithm-laws.test.ts", "algorithm/oracle.test.ts"];

export const algorithmMutants = [
  ...changes(
    "algorithm/rows.ts",
    ["algorithm/meter.test.ts", ...laws, "run/async/shares.test.ts"],
    [
      ["momentum is not kept", "const momentum = b * m[k] + g[k];", "const momentum = b * g[k] + g[k];"],
      ["trackers forget the gradient before", "y[k] += g[k] - p[k];", "y[k] += g[k];"],
      [
        "the diffusion's correction of the other sign",
        "const phi = next + x[k] - psi[k];",
        "const phi = next - x[k] + psi[k];",
      ],
      ["EXTRA without its half", "c[k] = 0.5 * x[k] - change;", "c[k] = x[k] - change;"],
      ["Adam without its square", "(1 - b2) * g[k] * g[k]", "(1 - b2) * g[k]"],
      ["quasi-global momentum of the whole step", "const share = (1 - mu) / s;", "const share = 1 / s;"],
      ["CHOCO's consensus without the own part", "x[k] += c * (a[k] - h[k]);", "x[k] += c * a[k];"],
      ["a node without weight divides by it", "if (w[i] !== 0) for", "for"],
      ["the second vector never becomes the first", "else if (onZ.own === 0) for", "else if (onZ.own === 2) for"],
    ],
  ),
  ...changes(
    "algorithm/d2.ts",
    ["algorithm/condition.test.ts", ...laws],
    [["D2 mixes directly below -1/3", "> -1 / 3 + 1e-12", "> -1 / 2 + 1e-12"]],
  ),
  ...changes("algorithm/exact-diffusion.ts", laws, [
    ["the lazy half left out", "if (lazy) world.passes", "if (false) world.passes"],
    ["NIDS exchanges at once", "if (quiet && t === 0) return;", ""],
  ]),
  ...changes("algorithm/atc-gt.ts", laws, [
    [
      "the gradient of the iteration before",
      "world.gradient(state.x, t + 1, gradient);",
      "world.gradient(state.x, t, gradient);",
    ],
  ]),
  ...changes("algorithm/inner.ts", laws, [
    ["moments not corrected", "c1: 1 - power(beta1, t + 1)", "c1: 1"],
    ["the decay without the rate", "1 - s * weightDecay", "1 - weightDecay"],
    ["gradients are never shortened", "if (most > 0) world", "if (most < 0) world"],
  ]),
  ...changes(
    "algorithm/local-updates.ts",
    [...laws, "algorithm/outer.test.ts"],
    [
      ["exchanges one iteration late", "if ((t + 1) % every === 0)", "if (t % every === 0)"],
      ["every outer step begins at round 0", "let round = rounds * k;", "let round = 0;"],
    ],
  ),
  ...changes(
    "algorithm/outer-steps.ts",
    [...laws, "algorithm/outer-steps.test.ts", "algorithm/outer.test.ts"],
    [
      ["no feedback of errors", "      add(error, z);\n", ""],
      ["what was held back is forgotten", 'add(state.x, state["held"]);', ""],
      [
        "always the first fragment",
        "const part = parts.take(whole, made % fragments);",
        "const part = parts.take(whole, 0);",
      ],
    ],
  ),
  ...changes("algorithm/gossip-pga.ts", laws, [
    ["averages one iteration late", "(t + 1) % period === 0", "t % period === 0"],
  ]),
  ...changes(
    "algorithm/schedule.ts",
    ["algorithm/meter.test.ts", "algorithm/schedule.test.ts"],
    [
      ["a step one update late", "Math.floor((t + 1) / every)", "Math.floor(t / every)"],
      ["below the floor", "return Math.max(now, least);", "return now;"],
      ["warm-up begins at 0", "(full * (t + 1)) / steps", "(full * t) / steps"],
      ["what comes after the warm-up goes on counting", "next(t - steps)", "next(t)"],
      ["cosine over a whole turn", "Math.round((t / rounds) * 2147483648)", "Math.round((t / rounds) * 4294967296)"],
      ["CIFAR-10 falls at another epoch", "epoch < 50 ? 1", "epoch < 49 ? 1"],
    ],
  ),
  ...changes(
    "algorithm/compressor.ts",
    ["algorithm/compressor.test.ts"],
    [
      ["ties beyond k are sent", "size === least && ties-- <= 0", "size === least && ties-- < 0"],
      ["a shuffle that favours the first", "multiplyHigh(words[j], d - j)", "multiplyHigh(words[j], d - j - 1)"],
      ["one level fewer", "2 ** (b - 1) - 1;", "2 ** (b - 1) - 2;"],
      ["indices out of range are written", "if (index < d) row[index]", "row[index]"],
    ],
  ),
  ...changes(
    "algorithm/meter.ts",
    ["algorithm/meter.test.ts", "run/clocks.test.ts", "run/hierarchy.test.ts", "run/gossip.test.ts"],
    [
      ["an all-reduce sends half", "const messages = 2 * (this.#n - 1);", "const messages = this.#n - 1;"],
      ["who is down sends", "(down?.[j] === 1 ? 0 :", "(down?.[j] === 2 ? 0 :"],
      ["the least instead of the most", "this.#totals[0] + largest(this.#bytes)", "this.#totals[0]"],
      ["a down leader's group sends", "if (!isDown(leaderOf(groups, g, t))) this.#between", "this.#between"],
    ],
  ),
  ...changes(
    "algorithm/condition.ts",
    ["algorithm/meter.test.ts", "algorithm/condition.test.ts"],
    [
      [
        "a W that changes passes for static",
        'if (topology.period !== 1) return "its W changes from round to round";',
        "",
      ],
    ],
  ),
  ...changes(
    "problem/least-squares.ts",
    ["run/edges.test.ts", "problem/least-squares.test.ts", "problem/problem-laws.test.ts"],
    [
      ["loss of twice the rise", "loss: least + rise / 2", "loss: least + rise"],
      ["errors of one row", "(Math.sqrt(x.length / d) * norm(best))", "norm(best)"],
      [
        "heterogeneity of the other sign",
        "spread += (own[j] + dot(hessian, j * d, x, 0, d)) ** 2",
        "spread += (own[j] - dot(hessian, j * d, x, 0, d)) ** 2",
      ],
      ["a share that begins at node 0", "stream, 0, first * each)", "stream, 0, 0)"],
    ],
  ),
];
