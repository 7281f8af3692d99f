/** Numbers, randomness, rows: what everything else stands on. */

import { changes } from "./change.mjs";

export const numberMutants = [
  ...changes(
    "number/integers.ts",
    ["topology/matching.test.ts", "number/factors.test.ts", "rate/rate.test.ts"],
    [
      ["mod of negatives", "return r < 0 ? r + n : r;", "return r;"],
      [
        "products beyond 2^53 rounded",
        "product <= Number.MAX_SAFE_INTEGER ? product % n : Number((BigInt(a) * BigInt(b)) % BigInt(n))",
        "product % n",
      ],
      [
        "logarithms rounded down",
        "for (let power = 1; power < n; power *= base) exponent++;",
        "for (let power = base; power <= n; power *= base) exponent++;",
      ],
    ],
  ),
  ...changes(
    "number/statistics.ts",
    ["number/statistics.test.ts"],
    [
      ["standard deviation over n", "Math.sqrt(squares / (values.length - 1))", "Math.sqrt(squares / values.length)"],
      ["Student's factor of one seed more", "studentFactor(values.length - 1)", "studentFactor(values.length)"],
      ["unpaired seeds", "filter((seed) => other.has(seed))", "filter(() => true)"],
    ],
  ),
  ...changes(
    "number/sign-flip.ts",
    ["number/statistics.test.ts"],
    [
      ["one side of the test only", "return (2 * reached) / 2 ** count;", "return reached / 2 ** count;"],
      ["Holm's rule with one level", "p > level / (ps.length - rank)", "p > level"],
      ["ties not counted", "- TIED * total", "+ TIED * total"],
    ],
  ),
  ...changes(
    "number/elementary.ts",
    ["number/elementary-exp.test.ts", "random/random.test.ts"],
    [
      ["logarithms of the wrong octave", "exponent += 1;", ""],
      [
        "sines with the sign of cosines",
        "out[1] = quarter >= 2 ? -s : s;",
        "out[1] = quarter === 1 || quarter === 2 ? -s : s;",
      ],
      ["large exponents overflow halfway", "* power(half) * power(k - half)", "* power(k)"],
    ],
  ),
  ...changes(
    "number/factors.ts",
    ["number/factors.test.ts"],
    [
      ["the last prime forgotten", "return rest > 1 ? [...factors", "return rest > 1e9 ? [...factors"],
      [
        "orders not halved by signs",
        "order % 2 === 0 && powMod(b, order / 2, m) === m - 1 ? order / 2 : order",
        "order",
      ],
    ],
  ),
  ...changes(
    "number/roots.ts",
    ["number/small-angles.test.ts", "rate/rate.test.ts", "rate/golden.test.ts"],
    [
      ["odd octants not mirrored", "((octant & 1) === 0 ? rest : n - rest)", "rest"],
      ["small gaps lose their digits", "return 2 * half * half;", "return 1 - Math.cos((2 * Math.PI * m) / n);"],
    ],
  ),
  ...changes(
    "number/crc32.ts",
    ["peer/exchange/frame.test.ts"],
    [["the last inversion left out", "return ~word >>> 0;", "return word >>> 0;"]],
  ),
  ...changes(
    "number/base64.ts",
    ["number/base64.test.ts"],
    [
      [
        "two texts of the same bytes",
        "bytes !== undefined && toBase64url(bytes) === text ? bytes : undefined",
        "bytes",
      ],
    ],
  ),
  ...changes(
    "random/philox.ts",
    ["random/random.test.ts"],
    [
      ["nine rounds", "round < 10; round++", "round < 9; round++"],
      ["the carry forgotten", "+ (carry >>> 16)", ""],
      ["seeds above 2^32 are as those below", "return (x / 4294967296) | 0;", "return 0;"],
    ],
  ),
  ...changes(
    "random/stream.ts",
    ["number/small-angles.test.ts", "random/random.test.ts"],
    [
      ["a biased range", "while (low < threshold) {", "while (low < 0) {"],
      ["the words of the round before", "    this.#used = 4;\n    return this;", "    return this;"],
      ["shuffles that leave nothing in place", "const j = this.below(i + 1);", "const j = this.below(i);"],
      [
        "52 bits",
        "(high * 67108864 + (this.word() >>> 6)) / 9007199254740992",
        "(high * 67108864 + (this.word() >>> 7)) / 9007199254740992",
      ],
    ],
  ),
  ...changes(
    "random/permutation.ts",
    ["random/permutation.test.ts"],
    [
      [
        "the inverse with other keys",
        "for (let at = keys.length - 4; at >= 0; at -= 4) {",
        "for (let at = 0; at < keys.length; at += 4) {",
      ],
      ["one pair of half-rounds", "closeness < BIAS || 2 * pairs < LEAST", "pairs < 1"],
      [
        "labels beyond n",
        "} while (label >= this.n);\n    return label;\n  }\n\n  /** The i",
        "} while (label > this.n);\n    return label;\n  }\n\n  /** The i",
      ],
    ],
  ),
  ...changes(
    "random/normal.ts",
    ["random/normal-kernel.test.ts", "random/random.test.ts"],
    [
      ["the plain normals by another lane", "offset % 4 : 0; lane < 4", "0 : 0; lane < 4"],
      ["variance 2", "Math.sqrt(-2 * log(", "Math.sqrt(-4 * log("],
    ],
  ),
  ...changes(
    "round/apply.ts",
    ["round/kernel-mixer.test.ts"],
    [
      ["circulants from the other side", "const from = k - shifts[m] * d;", "const from = k - size + shifts[m] * d;"],
      ["a pair keeps all", "const self = 1 - weight;", "const self = 1;"],
      ["the mean kept twice", "(1 - keep) * mean[k];", "mean[k];"],
    ],
  ),
  ...changes(
    "round/combine.ts",
    ["round/combine.test.ts", "peer/mixing/complete.test.ts"],
    [
      ["the mean of one row fewer", "(sum / rows.length)", "(sum / (rows.length + 1))"],
      [
        "a row that nobody is heard of is multiplied",
        "if (rows.length === 0 && self === 1) {",
        "if (rows.length === 0) {",
      ],
      ["rows beyond the kernel's left out", "rows.length < kernelRows &&", "rows.length < 2 * kernelRows &&"],
    ],
  ),
  ...changes(
    "round/groups.ts",
    ["topology/hierarchy.test.ts", "faults/thin-groups.test.ts", "run/hierarchy.test.ts"],
    [
      ["one leader for ever", "members[start[g] + (exchange % (start[g + 1] - start[g]))]", "members[start[g]]"],
      [
        "weights of the own group's size twice",
        "(sizeOf(groups, g) * sizeOf(groups, h))",
        "(sizeOf(groups, g) * sizeOf(groups, g))",
      ],
    ],
  ),
  ...changes(
    "round/grouped.ts",
    ["topology/hierarchy.test.ts", "faults/thin-groups.test.ts"],
    [["a group gives all", "(size === 0 ? 0 : least / size)", "(size === 0 ? 0 : 1)"]],
  ),
  ...changes(
    "round/messages.ts",
    ["run/edges.test.ts", "run/hierarchy.test.ts", "run/clocks.test.ts", "topology/hierarchy.test.ts"],
    [
      ["leaders send no more than members", "i === leader ? sizeOf(groups, g) - 1 + out[g] : 1", "1"],
      ["who hears nobody is marked", "heard[i] &= Number(round.partner[i] !== i)", "heard[i] &= 1"],
    ],
  ),
  ...changes(
    "robust/clip.ts",
    ["robust/defence-laws.test.ts"],
    [
      ["clipped to nothing", "radius / distance : 0", "0 : 0"],
      ["infinite distances count", "Number.isFinite(distance) ? radius / distance : 0", "radius / distance"],
    ],
  ),
  ...changes(
    "robust/guard.ts",
    ["robust/defence-laws.test.ts"],
    [["what is no number is believed", "(distance <= radius ? 1 : 0)", "(distance > radius ? 0 : 1)"]],
  ),
  ...changes(
    "robust/trim.ts",
    ["robust/defence-laws.test.ts", "run/robust.test.ts"],
    [
      ["the largest are not cut", "if (values[most] > 0) values[most] = 0;", ""],
      [
        "as many liars as neighbours",
        "if (maxDegree > count) return undefined;",
        "if (maxDegree >= count) return undefined;",
      ],
    ],
  ),
];
