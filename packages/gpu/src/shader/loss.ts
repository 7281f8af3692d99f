/**
 * The mean over the batch of -log softmax[label], over the classes of an image or (as the paper's code did) over the batch
 * within a class, and its gradient:
 *   over the classes:  (softmax - [label = c]) / batch,
 *   over the batch:    (count_c softmax - [label = c]) / batch,  count_c = how often label c occurs in the batch.
 * One workgroup a replica.
 */

import type { SoftmaxAxis } from "@equitopo/nn";
import { eachGroup, type Kernel, reads, writes } from "../device/program.ts";
import { gradientOf, type LayerOptions, type Value } from "./value.ts";

interface LossOptions extends Omit<LayerOptions, "norms"> {
  readonly logits: Value;
  readonly labels: GPUBuffer;
  /** Row `step.row` gets the replicas' losses. */
  readonly losses: GPUBuffer;
  readonly softmax: SoftmaxAxis;
}

const THREADS = 64;

export function loss({ label, logits, labels, losses, replicas, batch, softmax }: LossOptions): Kernel {
  const classes = logits.shape.channels;
  const overBatch = softmax === "batch";
  const [lines, count] = overBatch ? [classes, "step.count"] : [batch, `${classes}u`];
  const index = overBatch ? `first + k * ${classes}u + line` : `first + line * ${classes}u + k`;
  return {
    label,
    bindings: [
      ...[...reads("f32", { logits: logits.y }), ...reads("u32", { labels })],
      ...writes("f32", { g: gradientOf(logits), losses }),
    ],
    code: `var<workgroup> parts: array<f32, ${THREADS}>;
${eachGroup(THREADS)}  let replica = group.z;
  let first = replica * ${batch * classes}u;
  let named = replica * ${batch}u;
  let share = 1.0 / f32(step.count);
  var loss = 0.0;
  for (var line = me; line < ${overBatch ? `${lines}u` : "step.count"}; line += ${THREADS}u) {
    var top = logits[${index.replace("k", "0u")}];
    for (var k = 1u; k < ${count}; k++) { top = max(top, logits[${index}]); }
    var sum = 0.0;
    for (var k = 0u; k < ${count}; k++) { sum += exp(logits[${index}] - top); }
    let norm = top + log(sum);
    var hits = ${overBatch ? "0.0" : "1.0"};
${overBatch ? "    for (var k = 0u; k < step.count; k++) { hits += select(0.0, 1.0, labels[named + k] == line); }\n" : ""}\
    for (var k = 0u; k < ${count}; k++) {
      let value = logits[${index}] - norm;
      let hit = ${overBatch ? "labels[named + k] == line" : "labels[named + line] == k"};
      if (hit) { loss -= value; }
      g[${index}] = share * (hits * exp(value) - select(0.0, 1.0, hit));
    }
  }
  parts[me] = loss;
  workgroupBarrier();
  if (me != 0u) { return; }
  var total = 0.0;
  for (var k = 0u; k < ${THREADS}u; k++) { total += parts[k]; }
  losses[step.row * ${replicas}u + replica] = total * share;
}
`,
    workgroups: [1, 1, replicas],
  };
}
