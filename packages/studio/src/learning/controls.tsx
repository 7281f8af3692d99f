/** What is learnt, by whom and how: the controls of the learning view. */

import { algorithms } from "equitopo";
import { Choice, Range, Segments, Toggle } from "../part/control.tsx";
import { TopologyList } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import { MOST_TOPOLOGIES } from "../view.ts";
import { gpuTrouble } from "./device.ts";
import { MOST_LEARNERS } from "./fields.ts";

export function LearningControls() {
  const { data, split, model, method, gamma, batch, learners, noise, topology, drop, device } = view.value;
  const algorithm = algorithms.get(method);
  return (
    <section class="controls" aria-label="What is learnt">
      <TopologyList
        value={topology}
        n={learners}
        most={MOST_TOPOLOGIES}
        onChange={(chosen) => change({ topology: chosen })}
      />
      <Range
        label="Nodes"
        symbol="n"
        note="each with its own points and its own model"
        value={learners}
        min={2}
        max={MOST_LEARNERS}
        whole
        onChange={(value) => change({ learners: value, learner: undefined })}
      />
      <Choice
        label="Algorithm"
        note={
          <>
            {algorithm.summary}: <span class="formula">{algorithm.update}</span>
          </>
        }
        value={method}
        options={[...algorithms].map(({ name }) => ({ value: name, label: name }))}
        onChange={(value) => change({ method: value })}
      />
      <Range
        label="Learning rate"
        symbol="γ"
        note="how far a gradient moves a model; too large, and nodes run apart"
        value={gamma}
        min={0.001}
        max={3}
        log
        onChange={(value) => change({ gamma: Number(value.toPrecision(3)) })}
      />
      <Segments
        label="Who holds what"
        note="sorted: each node sees one class alone; shuffled: all see the same mixture"
        value={split}
        options={[
          { value: "sorted", label: "sorted" },
          { value: "dirichlet", label: "uneven" },
          { value: "iid", label: "shuffled" },
        ]}
        onChange={(value) => change({ split: value })}
      />
      <Choice
        label="Points"
        note="drawn here, 640 of them and 200 to be tried on"
        value={data}
        options={[
          { value: "moons", label: "two moons" },
          { value: "circles", label: "two circles" },
          { value: "blobs", label: "four blobs" },
          { value: "spirals", label: "two spirals" },
        ]}
        onChange={(value) => change({ data: value })}
      />
      <Toggle
        label="Compute on the GPU"
        note={gpuTrouble() ?? "through WebGPU, in float32: the same numbers to rounding"}
        value={device === "gpu" && gpuTrouble() === undefined}
        disabled={gpuTrouble() !== undefined}
        onChange={(value) => change({ device: value ? "gpu" : "cpu" })}
      />
      <details>
        <summary>More</summary>
        <div class="controls">
          <Range
            label="Noise"
            symbol="σ"
            note="how far points lie off their shape"
            value={noise}
            min={0}
            max={0.5}
            step={0.01}
            onChange={(value) => change({ noise: value })}
          />
          <Choice
            label="Model"
            note="what a node trains and sends: 6 to 354 numbers"
            value={model}
            options={[
              { value: "small", label: "16 hidden units" },
              { value: "deep", label: "two layers of 16" },
              { value: "linear", label: "straight lines (softmax regression)" },
            ]}
            onChange={(value) => change({ model: value })}
          />
          <Range
            label="Batch"
            note="points that a node sees in one update"
            value={batch}
            min={1}
            max={64}
            whole
            onChange={(value) => change({ batch: value })}
          />
          <Range
            label="Messages lost"
            note="the share of messages that never arrive"
            value={drop}
            min={0}
            max={0.9}
            step={0.01}
            onChange={(value) => change({ drop: value })}
          />
        </div>
      </details>
    </section>
  );
}
