/** One real peer: exchanges, votes, claims, frames, what it mixes. */

import { changes } from "./change.mjs";

const exchange = [
  "peer/mixing/faults.test.ts",
  "peer/mixing/late-vote.test.ts",
  "peer/exchange/strict.test.ts",
  "peer/network/memory.test.ts",
];

export const peerMutants = [
  ...changes("peer/exchange/exchange.ts", exchange, [
    [
      "a mutual exchange without its vote",
      'if (!partner.mutual || partner.heard === "yes") this.#close',
      "if (true) this.#close",
    ],
    ["votes yes before everything has come", "if (--partner.missing > 0) return;", "--partner.missing;"],
    ["vectors that do not fit are used", ': "length";', ": undefined;"],
    ["NaN is used", "? undefined : notFinite(data);", "? undefined : undefined;"],
    [
      "vectors of a refused partner are handed out",
      "      this.#recycle(pending.arrived[entry]);\n      pending.arrived[entry] = undefined;",
      "",
    ],
    ["letters from far ahead", "+ this.#options.horizon) {", "+ 1e9) {"],
    ["late letters are not counted", "this.counts.late++;", ""],
    [
      "early letters of this round are late",
      "if (letter.round < round) this.#late(letter);",
      "if (letter.round <= round) this.#late(letter);",
    ],
    ["a voided exchange is not counted", "this.counts.voided++;", ""],
    ["who is gone is waited for", "    this.#expire(pending, partner);\n", ""],
  ]),
  ...changes(
    "peer/exchange/claims.ts",
    ["peer/exchange/numbering.test.ts", "peer/exchange/claims.test.ts"],
    [
      ["one witness", "++higher >= witnesses", "++higher >= 1"],
      ["any claim", "&& claimed[peer] <= most)", ")"],
      ["half are a majority", "Math.floor(n / 2) + 1", "Math.floor(n / 2)"],
      ["a leap counts in full", "Math.min(round - step.round, slack)", "round - step.round"],
      ["meetings show progress", "if (round < belief.first) return;", ""],
    ],
  ),
  ...changes(
    "peer/exchange/late-votes.ts",
    ["peer/exchange/numbering.test.ts", "peer/mixing/late-vote.test.ts"],
    [
      ["a late no is a yes", 'if (kind === "yes" && one.round', "if (one.round"],
      ["any number is awaited", ".slice(-limit)", ""],
    ],
  ),
  ...changes(
    "peer/exchange/incarnation.ts",
    ["peer/exchange/incarnation.test.ts"],
    [
      ["the older process stays", 'if (incarnation < before) return "stale";', ""],
      ["never fenced", 'if (now >= this.#settled) return "fenced";', ""],
      ["settles anew with every peer", "Math.min(this.#settled, now + settling)", "now + settling"],
    ],
  ),
  ...changes(
    "peer/exchange/frame.ts",
    ["peer/exchange/frame.test.ts"],
    [
      ["headers are not checked", 'if (words[11] !== crc32(covered)) return "checksum";', ""],
      ["another spec's frames", 'if (header[8 + k] !== spec[k]) return "spec";', "void k;"],
      [
        "payloads are not checked",
        'else if (header.guard === "crc" && crc32(this.#body) !== header.checksum) this.#refuse("checksum");',
        "",
      ],
      ["any sender", 'if (sender !== undefined && header.sender !== sender) this.#refuse("sender");', ""],
      ["unsealed frames where all are sealed", "if (sealed !== (open !== undefined) || ", "if ("],
    ],
  ),
  ...changes(
    "peer/exchange/offset.ts",
    ["peer/exchange/numbering.test.ts", "peer/course/partners.test.ts", "peer/course/runs.test.ts"],
    [
      [
        "claims of the run before",
        "Math.max(-1, this.#transport.reached - this.#first)",
        "this.#transport.reached - this.#first",
      ],
      [
        "messages of one peer counted apart",
        "new Set(request.send.map(({ peer }) => peer)).size",
        "request.send.length",
      ],
    ],
  ),
  ...changes(
    "peer/mixing/encounters.ts",
    ["peer/exchange/numbering.test.ts", "peer/mixing/encounters.test.ts"],
    [
      ["mended exchanges stay void", "this.#void--;", ""],
      ["what was spared was planned", "if (spared.has(peer)) continue;", ""],
      ["silent after one", ">= times)", ">= 1)"],
    ],
  ),
  ...changes(
    "peer/mixing/corrections.ts",
    ["peer/mixing/late-vote.test.ts"],
    [
      ["corrections of the other side", "weight * (theirs[k] - value)", "weight * (value - theirs[k])"],
      ["taken up twice", "this.#due = this.#due.filter((one) => one.kind !== kind);", ""],
      ["old corrections are kept for ever", "this.#kept.delete(old);\n      bytes", "bytes"],
    ],
  ),
  ...changes(
    "peer/mixing/average.ts",
    ["peer/mixing/average.test.ts"],
    [
      ["weights are not carried", "const carried = weight !== undefined ||", "const carried ="],
      ["the least of the greatest", "Math.max(next[k], other[k])", "Math.min(next[k], other[k])"],
      ["sums are means", "n * this.#tracked[k]", "this.#tracked[k]"],
    ],
  ),
];
