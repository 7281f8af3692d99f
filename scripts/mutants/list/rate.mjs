/** Rates, norms of products, predictions, gains, stability. */

import { changes } from "./change.mjs";

export const rateMutants = [
  ...changes(
    "rate/product.ts",
    ["rate/prediction.test.ts", "rate/product.test.ts"],
    [
      [
        "mean square of cut blocks left out",
        "(periodNorm ?? rate) ** whole * rate ** cut",
        "(periodNorm ?? rate) ** whole",
      ],
      [
        "one whole block too many",
        "const [begin, end] = [Math.ceil(first / block)",
        "const [begin, end] = [Math.floor(first / block)",
      ],
      [
        "rounds before a stretch not waited for",
        "const wait = (stretch - (first % stretch)) % stretch;\n  if (exactAfter",
        "const wait = 0;\n  if (exactAfter",
      ],
      ["exact one round too early", "m >= wait + exactAfter", "m >= wait + exactAfter - 1"],
      [
        "a period less in powers of modes",
        "if (whole > 1) raise(squares, whole);",
        "if (whole > 1) raise(squares, whole - 1);",
      ],
      [
        "mode 0 counted among those of disagreement",
        "for (let k = 1; k < values.length; k++) most = Math.max(most, values[k]);",
        "for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]);",
      ],
      ["the transpose applied in the same order", "[...rounds].reverse()", "[...rounds]"],
    ],
  ),
  ...changes(
    "rate/prediction.ts",
    ["rate/prediction.test.ts", "rate/product.test.ts", "rate/rate.test.ts"],
    [
      ["any start: one round too few", "rounds + stretch - 1", "rounds + stretch - 2"],
      ["any start, commuting: not rounded up to periods", "Math.ceil(rounds / stretch) * stretch", "rounds"],
      ["blocks counted as rounds", "rounds: block * shrinkings(", "rounds: shrinkings("],
      ["a period less before the last one", "raise(squares, periods - 1)", "raise(squares, periods)"],
      ["halving ends one too high", "while (high - low > 1)", "while (high - low > 2)"],
      [
        "the gap not used where the rate rounds to 1",
        "gap === undefined || gap > 1e-6 ? Math.log(factor) : Math.log1p(-gap)",
        "Math.log(factor)",
      ],
      [
        "tolerance reached counted as one round more",
        "Math.ceil(Math.log(tolerance) / logarithm - 1e-9)",
        "Math.ceil(Math.log(tolerance) / logarithm + 1e-9)",
      ],
      [
        "across a stretch: the wait forgotten",
        "const promised = wait + (topology.exactAfter",
        "const promised = (topology.exactAfter",
      ],
    ],
  ),
  ...changes(
    "rate/window.ts",
    ["rate/ends.test.ts", "rate/prediction.test.ts"],
    [
      ["the second mode of a window", "const own = sine(1);", "const own = sine(2);"],
      ["windows of no power", "/ own / size) ** times", "/ own / size)"],
      ["a window of its size, not of its residue", "(sine(residue) /", "(sine(1) /"],
    ],
  ),
  ...changes(
    "rate/between-groups.ts",
    ["topology/hierarchy.test.ts"],
    [
      ["sums of groups not scaled", "inner[g] /= Math.sqrt(sizes[g]);", "inner[g] /= sizes[g];"],
      ["pairs from every start not shared out", "share / n);", "share);"],
      [
        "mixed moments twice",
        "square[k * n + from] += scaled * w * (1 - w);",
        "square[k * n + from] += 2 * scaled * w * (1 - w);",
      ],
      ["sizes of the other group", "back[at] / sizes[b]", "back[at] / sizes[a]"],
      ["three different labels forgotten", "(sum - inverse[a] - inverse[b]) * apart", "0 * apart"],
    ],
  ),
  ...changes(
    "rate/stability.ts",
    ["rate/ends.test.ts", "rate/stability.test.ts"],
    [
      ["long-run rate without the period's root (modes)", "return most ** (1 / period);", "return most;"],
      [
        "long-run rate without the period's root (dense)",
        "return spectralRadius(matrix, size) ** (1 / topology.period!);",
        "return spectralRadius(matrix, size);",
      ],
      ["every zero skipped", "if (!skipped && ", "if ("],
    ],
  ),
  ...changes(
    "rate/recursion.ts",
    ["rate/ends.test.ts", "rate/stability.test.ts", "rate/labelled.test.ts"],
    [
      ["the lazy form turned round", "[1 - step / 2, (step - 1) / 2]", "[1 - step / 2, (1 - step) / 2]"],
      ["EXTRA's whole correction", "mix: [1, -0.5, 0, 0]", "mix: [1, -1, 0, 0]"],
      ["DSGT's tracker without its gradient", "mix: [1, -1, step, 1 - step]", "mix: [1, -1, 0, 1]"],
      ["DIGing's tracker without its gradient", "stay: [0, -1, -step, -step]", "stay: [0, -1, -step, 0]"],
    ],
  ),
  ...changes(
    "rate/stability-sampled.ts",
    ["rate/stability.test.ts", "rate/labelled.test.ts"],
    [
      ["sampled stability: scale", '(each * (topology.kind === "random" ? 1 : 0.5))', "(each * 0.5)"],
      [
        "sampled stability: alignment with periods",
        "const rounds = cycleOf(topology, each);\n  const steps",
        "const rounds = 8;\n  const steps",
      ],
      ["sampled stability: the lead counted", "if (step >= lead) sum +=", "if (step >= 0) sum +="],
      ["sampled stability: error of one flock", "Math.sqrt(variance / FLOCKS + ", "Math.sqrt(variance + "],
      [
        "sampled stability: the mean of logarithms",
        "Math.exp((mean + variance / 2) * scale)",
        "Math.exp(mean * scale)",
      ],
    ],
  ),
  ...changes(
    "rate/gains.ts",
    ["rate/gains.test.ts"],
    [
      ["gain of moments upside down", "((1 + mu) / (1 - mu))", "((1 - mu) / (1 + mu))"],
      ["noise of a period without the last input", "c = (a * a + b * b) * (c + 1);", "c = (a * a + b * b) * c;"],
      ["mean over the period forgotten", "noise += c / period;", "noise += c;"],
    ],
  ),
  ...changes(
    "rate/gains-dense.ts",
    ["rate/gains.test.ts"],
    [
      ["gains over n instead of n - 1", "Math.sqrt(sum / (n - 1))", "Math.sqrt(sum / n)"],
      ["the period's first response only", "image[i] = sum / responses.length;", "image[i] = sum;"],
      [
        "doubling without what was there",
        "response = add(times(power, response, n), response);",
        "response = times(power, response, n);",
      ],
    ],
  ),
  ...changes(
    "rate/gains-sampled.ts",
    ["rate/gains.test.ts"],
    [
      ["sampled noise of n nodes", "dot(noisy, noisy) / ((n - 1) * columns)", "dot(noisy, noisy) / (n * columns)"],
      ["the start not forgotten", "if (t < lead) continue;", ""],
      [
        "heterogeneity put in twice",
        "square += dot(settled, settled) / size",
        "square += (2 * dot(settled, settled)) / size",
      ],
    ],
  ),
  ...changes(
    "rate/equidyn.ts",
    ["rate/exact-rates.test.ts", "rate/golden.test.ts"],
    [
      ["greedy matches one pair too few", "Math.min(r, 2 * q - r) / n", "Math.max(r, 2 * q - r) / n"],
      ["odd cycles leave nobody idle", "=== 0 ? 1 : 1 - d / n", "=== 0 ? 1 : 1"],
      ["factor without 1 - c", "1 - 2 * c * (1 - c) *", "1 - 2 * c *"],
    ],
    "equidyn",
  ),
  ...changes(
    "rate/circulant.ts",
    ["rate/ends.test.ts", "rate/rate.test.ts", "rate/golden.test.ts"],
    [
      ["disconnected circulants contract", "isConnected(n, shifts) ? found", "true ? found"],
      ["a swap that forgets what was there", "this.#modes.add(this.basis[position], -1, this.#sums);", ""],
    ],
  ),
  ...changes(
    "rate/lanczos.ts",
    ["rate/ends.test.ts", "rate/exact-rates.test.ts"],
    [
      ["the largest decides always", "largest.value >= -smallest.value ? largest : smallest", "largest"],
      ["stops at a coarse residual", "scale * (decides ? precision : COARSE_RESIDUAL)", "scale * COARSE_RESIDUAL"],
      [
        "a start with a mean",
        "  centre(current);\n  scale(current, 1 / norm(current));\n  let beta",
        "  scale(current, 1 / norm(current));\n  let beta",
      ],
    ],
    "geometric|grid|de-bruijn|star|random-regular",
  ),
  ...changes(
    "rate/tridiagonal.ts",
    ["rate/exact-rates.test.ts"],
    [["the second largest eigenvalue", 'end === "largest" ? m - 1 : 0', 'end === "largest" ? Math.max(0, m - 2) : 0']],
    "geometric|grid|star",
  ),
  ...changes(
    "rate/labelled.ts",
    ["rate/labelled.test.ts"],
    [
      ["products with what is put in: the first block's", "const q = b / (1 - a);", "const q = b;"],
      ["relabelled: noise of one block", "const settled = noise / (1 - aa);", "const settled = noise;"],
      ["relabelled: the radius of a block", "** (1 / rounds.length)", ""],
    ],
  ),
  ...changes(
    "rate/pairings.ts",
    ["rate/gains.test.ts"],
    [["gains of turned pairs as of noise", "((1 + mu) / (1 - mu)) * settled[2 * k]", "settled[2 * k]"]],
  ),
  ...changes(
    "rate/bounds.ts",
    ["rate/rate.test.ts", "rate/golden.test.ts"],
    [
      ["bound of undirected pairs as of directed ones", "equiDynBound(4 / 3, eta, rho)", "equiDynBound(2, eta, rho)"],
      ["basis size without the union over n", "log((2 * n) / p)", "log(2 / p)"],
    ],
  ),
  ...changes(
    "rate/labels.ts",
    ["topology/relabel.test.ts"],
    [
      ["relabelled: the mean not taken out", "(trace - 1) / (n - 1)", "trace / n"],
      [
        "relabelled: squares over n",
        "Math.max(0, squares - 1) / (n - 1) };\n  };",
        "Math.max(0, squares - 1) / n };\n  };",
      ],
    ],
  ),
  ...changes(
    "rate/spectrum.ts",
    ["rate/ends.test.ts", "rate/spectrum.test.ts", "rate/rate.test.ts"],
    [
      [
        "asymptotic rate without the period's root",
        "spectralRadius(product, n) ** (1 / topology.period!)",
        "spectralRadius(product, n)",
      ],
      [
        "modes beyond n / 2 not conjugated",
        "im[k] = mirrored ? -values[at + 1] : values[at + 1];",
        "im[k] = values[at + 1];",
      ],
    ],
  ),
  ...changes(
    "rate/eigenvalues.ts",
    ["rate/spectrum.test.ts", "rate/stability.test.ts"],
    [
      ["complex pairs as real ones", "im[first] = q < 0 ? root : 0;", "im[first] = 0;"],
      [
        "rows exchanged and columns not",
        "for (let j = 0; j < n; j++) [a[j * n + pivot], a[j * n + m]] = [a[j * n + m], a[j * n + pivot]];",
        "",
      ],
    ],
  ),
  ...changes(
    "rate/fourier.ts",
    ["rate/rate.test.ts", "rate/golden.test.ts"],
    [["a transform not scaled", "const re = a[2 * k] / size;", "const re = a[2 * k];"]],
  ),
];
