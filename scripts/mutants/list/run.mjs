/** Runs: cadence, gossip, checkpoints, asynchronous rounds. */

import { changes } from "./change.mjs";

const asynchronous = [
  "run/async/clock.test.ts",
  "run/async/node.test.ts",
  "run/async/shares.test.ts",
  "run/async/simulate.test.ts",
  "run/async/replay.test.ts",
];

export const runMutants = [
  ...changes("run/async/simulate.ts", asynchronous, [
    ["asynchronous clock: messages arrive at once", "now + (k + 1) * clock.message", "now + clock.message"],
    ["asynchronous clock: sends are free", "Math.max(1, sends) * message", "message"],
    [
      "asynchronous clock: delays added to messages",
      "Math.max(delay, Math.max(1, sends) * message)",
      "delay + Math.max(1, sends) * message",
    ],
    ["asynchronous: letters of the future", "first.time <= now;", "first.time <= now + 1;"],
    ["asynchronous: bytes of all nodes", "bytes: most * bytes", "bytes: bytes"],
    ["asynchronous: a straggler in every iteration", "straggler.probability * 4294967296) delay", "4294967296) delay"],
    [
      "asynchronous: shares kept are sent all the same",
      "filter(({ node }) => !kept.includes(node));\n    place",
      "filter(() => true);\n    place",
    ],
  ]),
  ...changes("run/async/node.ts", asynchronous, [
    ["span over iterations + 1", "/ (begun.length - 1))", "/ begun.length)"],
    ["push-sum's steps do not depend on the weight", 'kind === "shares" ? weight :', 'kind === "none" ? weight :'],
    ["a window that never moves", "if (begun.length > window + 1) begun.shift();", ""],
    ["gives all its weight away", "gone(other) || weight() < leastWeight", "gone(other)"],
  ]),
  ...changes(
    "run/async/pace.ts",
    ["run/async/clock.test.ts"],
    [
      ["the pace of two nodes", "n === 2 ? 0 : 1", "1"],
      ["one node carries all along", "n === 2 ? 0 : 1", "0"],
      ["runs away by one round more", "round <= first + (hears ? 1 : 2)", "round <= first + 2"],
      ["alone for ever", "|| kept >= patience", ""],
      ["patience is not renewed", "done[from] = round;\n      kept = 0;", "done[from] = round;"],
    ],
  ),
  ...changes("run/async/inbox.ts", asynchronous, [
    ["too old by one round", "round - used[1] > maxStale", "round - used[1] > maxStale + 1"],
    ["older models replace newer ones", "if ((newest.get(from)?.used[1] ?? -1) >= round) return false;", ""],
    [
      "overtaken shares are discarded",
      "if (round <= of.forgotten || of.rounds.has(round)) return false;",
      "if (round <= Math.max(of.forgotten, ...of.rounds)) return false;",
    ],
    ["shares counted twice", "|| of.rounds.has(round)) return false;", ") return false;"],
    ["forgotten rounds count again", "of.forgotten = Math.max(of.forgotten, first);", ""],
    ["dropped shares vanish", "(stays(node) ? sum + weight : sum)", "sum"],
    ["silent neighbours' weight vanishes", "silent.reduce((sum, { weight }) => sum + weight, self)", "self"],
  ]),
  ...changes(
    "run/async/agenda.ts",
    ["run/async/clock.test.ts"],
    [
      ["ties by chance", "a.time < b.time || (a.time === b.time && a.rank < b.rank)", "a.time < b.time"],
      [
        "the other child",
        "before(heap[child + 1], heap[child])) child++;",
        "before(heap[child], heap[child + 1])) child++;",
      ],
    ],
  ),
  ...changes(
    "run/async/replay.ts",
    ["run/async/replay.test.ts", "run/async/shares.test.ts"],
    [
      ["what was used is not compared", "if (JSON.stringify(step.used) !== JSON.stringify(found)) {", "if (false) {"],
      [
        "what nodes hold is not counted",
        "const held = nodes.reduce((sum, node) =>",
        "const held = nodes.slice(1).reduce((sum, node) =>",
      ],
    ],
  ),
  ...changes(
    "run/async/sums.ts",
    ["run/async/replay.test.ts", "run/async/shares.test.ts"],
    [
      [
        "shares on their way are not counted",
        "let change = y[v][k] + out * x[v][k] - x[v][k];",
        "let change = y[v][k] - x[v][k];",
      ],
    ],
  ),
  ...changes(
    "run/course/cadence.ts",
    ["run/course/cadence.test.ts"],
    [
      [
        "the last update is not recorded",
        "record: evaluate || last || updates % this.#every === 0",
        "record: evaluate || updates % this.#every === 0",
      ],
      ["evaluations before the first update", "const evaluate = updates > 0 && ", "const evaluate = "],
      [
        "the multiple that it is",
        "(Math.floor(updates / interval) + 1) * interval",
        "Math.ceil(updates / interval) * interval",
      ],
      ["skipped records", "return found > before ? found : undefined;", "return found >= before ? found : undefined;"],
    ],
  ),
  ...changes(
    "run/course/course.ts",
    ["run/resume.test.ts", "run/course/drivers.test.ts", "run/course/save-points.test.ts"],
    [
      ["saved twice", "this.#kept !== updates && ", ""],
      ["the meter begins anew", "this.meter.restore(meter);", ""],
      ["not saved before it stops", "(this.stopped || keep.due(updates))", "keep.due(updates)"],
    ],
  ),
  ...changes(
    "run/gossip-steps.ts",
    ["run/edges.test.ts", "run/gossip-steps.test.ts", "run/gossip.test.ts"],
    [
      ["errors around the mean of now", 'around === "now" ? meanRow(x, n) : mean', "meanRow(x, n)"],
      ["push-sum sends no weight", "(pushSum ? d + 1 : d)", "d"],
      ["the drift of the mean over itself", "return size === 0 ? change : change / size;", "return change;"],
      ["restored one round early", "done = t;\n      ahead", "done = t - 1;\n      ahead"],
    ],
  ),
  ...changes(
    "run/gossip.ts",
    ["run/edges.test.ts", "run/gossip.test.ts"],
    [
      ["stops at half the goal", "<= until * errors[0]", "<= 0.5 * until * errors[0]"],
      ["the last round is not recorded", "t % every === 0 || t === rounds", "t % every === 0"],
    ],
  ),
  ...changes(
    "run/diverged.ts",
    ["run/diverged.test.ts"],
    [
      ["twice the start is diverged", "value > FAR * start", "value > 2 * start"],
      [
        "a peak is diverged",
        "values.findLastIndex((value) => !(value > FAR * start))",
        "values.findIndex((value) => value > FAR * start) - 1",
      ],
      [
        "what never was a number diverges",
        "isBeyond(values[k]) && values.slice(0, k).some((value) => !isBeyond(value))",
        "isBeyond(values[k])",
      ],
    ],
  ),
  ...changes(
    "run/average.ts",
    ["run/edges.test.ts", "run/robust.test.ts"],
    [
      ["liars count in evaluations", "1 - (without?.[i] ?? 0)", "1"],
      ["liars are summarised", "step.value.filter((_, node) => liars?.marks[node] !== 1)", "step.value"],
    ],
  ),
  ...changes(
    "run/drift.ts",
    ["run/edges.test.ts", "run/drift.test.ts"],
    [["the drift of the last exchange only", "sum[k] += after[k] - before[k]", "sum[k] = after[k] - before[k]"]],
  ),
];
