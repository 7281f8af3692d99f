/** Dropped messages, crashes, latency, liars, push-sum. */

import { changes } from "./change.mjs";

export const faultMutants = [
  ...changes(
    "faults/thin.ts",
    ["faults/outages.test.ts", "faults/thin-groups.test.ts", "faults/faults.test.ts"],
    [
      [
        "groups with too few members are not mute",
        "members.length < least * (1 - selfWeight(between, g)) || members.length === 0",
        "members.length === 0",
      ],
      ["groups just large enough are mute", "members.length < least * (1", "members.length <= least * (1"],
      ["a mute group still sends", "!mute[g] && !mute[h] &&", "!mute[g] &&"],
      ["a leader that is down leads on", "dropped.inside(leader, leader)\n      ? []", "false\n      ? []"],
      [
        "members are heard by a leader that does not reach them",
        "!dropped.inside(i, leader) && !dropped.inside(leader, i)",
        "!dropped.inside(i, leader)",
      ],
      ["dropped weight stays with the other side", 'keeper === "receiver" ? i : j', 'keeper === "receiver" ? j : i'],
      [
        "a node that is down multiplies its row",
        "if (shares[i] === 0) self[i] = 1;",
        "if (shares[i] === 2) self[i] = 1;",
      ],
      ["half a pair", "if (partner[partner[i]] !== i) partner[i] = i;", ""],
    ],
  ),
  ...changes(
    "faults/outages.ts",
    ["faults/outages.test.ts", "faults/absent-stale.test.ts"],
    [
      ["back one round late", "t < until)", "t <= until)"],
      ["down one round late", "t >= from &&", "t > from &&"],
      ["a cut in one direction", "Math.min(a, b) * n + Math.max(a, b)", "a * n + b"],
    ],
  ),
  ...changes(
    "faults/chance.ts",
    ["faults/faults.test.ts", "faults/absent-stale.test.ts"],
    [
      ["exchanges dropped in one direction", "return exchange && from > to", "return false && from > to"],
      ["drops with half the probability", "words[0] < p * 4294967296", "words[0] < p * 2147483648"],
      [
        "all exchanges share their fate",
        "philox(seed | 0, high32(seed), a, b, stream, t | 0, words)",
        "philox(seed | 0, high32(seed), a, b, stream, 0, words)",
      ],
    ],
  ),
  ...changes(
    "faults/network.ts",
    ["faults/outages.test.ts", "faults/faults.test.ts", "faults/absent-stale.test.ts"],
    [
      ["push-sum: the receiver keeps", 'faults.pushSum === true ? "sender" : "receiver"', '"receiver"'],
      ["a node that is down still hears", "(down[from] === 1 || down[to] === 1)", "(down[from] === 1)"],
      ["cuts are not looked at", "|| cut?.(from, to) === true", ""],
      [
        "stale messages of another exchange",
        "isStale(stale, this.#seed, exchange, from, to)",
        "isStale(stale, this.#seed, 0, from, to)",
      ],
    ],
  ),
  ...changes(
    "faults/latency.ts",
    ["algorithm/meter.test.ts", "faults/outages.test.ts", "run/clocks.test.ts"],
    [
      ["messages go at once", "late + count * (alpha + beta * bytes)", "late + (alpha + beta * bytes)"],
      ["groups that hear two wait for one message", "out[g]);\n", "1);\n"],
      ["who sends nothing is waited for", "if (count > 0) slowest", "if (count >= 0) slowest"],
      ["one step inside a group too few", "(Math.min(1, members) + members)", "members"],
      [
        "stragglers twice as often",
        "straggler.probability * 4294967296;\n  let",
        "straggler.probability * 8589934592;\n  let",
      ],
    ],
  ),
  ...changes(
    "faults/liars.ts",
    ["faults/outages.test.ts", "faults/attacks.test.ts"],
    [
      ["a liar spoils its own row", "const said = own.slice();", "const said = own;"],
      ["honest rows of the liars", "if (liars.marks[i] === 1) continue;", "if (liars.marks[i] === 0) continue;"],
      ["the share of liars rounded down", "Math.round(n * real(", "Math.floor(n * real("],
    ],
  ),
  ...changes(
    "faults/stale.ts",
    ["run/edges.test.ts", "faults/absent-stale.test.ts"],
    [
      [
        "stale rows are of this round",
        "addStale(split.stale, this.earlier ?? before, y)",
        "addStale(split.stale, before, y)",
      ],
      ["own weights twice", "stale: late.round(new Float64Array(n))", "stale: late.round(self)"],
    ],
  ),
  ...changes(
    "faults/push-sum.ts",
    ["faults/faults.test.ts", "run/drift.test.ts", "run/gossip.test.ts"],
    [
      ["weights left out of the ratio", "weighted[i * (d + 1) + k] / weight;", "weighted[i * (d + 1) + k];"],
      ["0 / 0 is said", "if (weight === 0) continue;", ""],
    ],
  ),
];
