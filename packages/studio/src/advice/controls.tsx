/** What the nodes want and what they have: the adviser's form. */

import { Choice, Range, Segments, Toggle } from "../part/control.tsx";
import { change, view } from "../store.ts";
import { MOST_NODES } from "../view.ts";

export function AdviceControls() {
  const { n, goal, peers, undirected, lost, by, bytes, latency, bandwidth, compute, alike } = view.value;
  const { kappa, spread, sigma, tolerance } = view.value;
  const isLearning = goal !== "average";
  return (
    <section class="controls" aria-label="What you want and have">
      <Choice
        label="Goal"
        note={isLearning ? "the relative error of a gradient method" : "all nodes hold the mean of their vectors"}
        value={goal}
        options={[
          { value: "average", label: "the average of vectors" },
          { value: "dsgd", label: "a model, by dsgd", group: "Learning" },
          { value: "dsgt", label: "a model, by dsgt (gradient tracking)", group: "Learning" },
          { value: "d2", label: "a model, by d2", group: "Learning" },
          { value: "exact-diffusion", label: "a model, by exact-diffusion", group: "Learning" },
        ]}
        onChange={(value) => change({ goal: value })}
      />
      <Range
        label="Nodes"
        symbol="n"
        note="how many take part"
        value={n}
        min={2}
        max={MOST_NODES}
        log
        whole
        onChange={(value) => change({ n: value })}
      />
      <Segments
        label="Peers in a round"
        note="the most nodes that one hears from at a time"
        value={peers === undefined ? "any" : peers === 1 ? "1" : "few"}
        options={[
          { value: "1", label: "one" },
          { value: "few", label: "a few" },
          { value: "any", label: "any" },
        ]}
        onChange={(value) =>
          change({ peers: value === "any" ? undefined : value === "1" ? 1 : Math.max(2, peers ?? 2) })
        }
      />
      {peers === undefined || peers === 1 ? null : (
        <Range
          label="At most"
          note="peers in a round"
          value={peers}
          min={2}
          max={64}
          whole
          onChange={(value) => change({ peers: value })}
        />
      )}
      <Toggle
        label="Both ways only"
        note="every edge goes both ways (undirected), so that lost exchanges keep the mean"
        value={undirected}
        onChange={(value) => change({ undirected: value })}
      />
      <Range
        label="Messages lost"
        note="the share that never arrives"
        value={lost}
        min={0}
        max={0.5}
        step={0.01}
        onChange={(value) => change({ lost: value })}
      />
      <Segments
        label="Rank by"
        note="what is to be little: time, or bytes sent by the busiest node"
        value={by}
        options={[
          { value: "time", label: "time" },
          { value: "bytes", label: "bytes" },
        ]}
        onChange={(value) => change({ by: value })}
      />
      {isLearning ? (
        <Toggle
          label="Neighbours have data alike"
          note="as where data is sorted by label over the nodes"
          value={alike}
          onChange={(value) => change({ alike: value })}
        />
      ) : null}
      <details>
        <summary>Network{isLearning ? ", problem" : ""} and tolerance</summary>
        <div class="controls">
          <Range
            label="A vector"
            note="bytes of what is sent"
            value={bytes}
            min={1}
            max={1e10}
            log
            whole
            onChange={(value) => change({ bytes: value })}
          />
          <Range
            label="A message"
            note="seconds without its bytes (latency)"
            value={latency}
            min={1e-7}
            max={10}
            log
            onChange={(value) => change({ latency: value })}
          />
          <Range
            label="A link"
            note="bytes a second; 1.25e8 is a gigabit"
            value={bandwidth}
            min={1e3}
            max={1e12}
            log
            onChange={(value) => change({ bandwidth: value })}
          />
          <Range
            label="Tolerance"
            symbol="ε"
            note="the error to reach; by itself 1e-6, and 0.01 for methods with a bias"
            value={tolerance ?? (goal === "dsgd" ? 0.01 : 1e-6)}
            min={1e-12}
            max={0.5}
            log
            onChange={(value) => change({ tolerance: value })}
          />
          {isLearning ? (
            <>
              <Range
                label="A gradient"
                note="seconds to compute one"
                value={compute}
                min={0}
                max={100}
                onChange={(value) => change({ compute: value })}
              />
              <Range
                label="Condition"
                symbol="κ = L/μ"
                note="how much steeper the steepest direction is"
                value={kappa}
                min={1}
                max={1e6}
                log
                onChange={(value) => change({ kappa: value })}
              />
              <Range
                label="Heterogeneity"
                symbol="b"
                note="how far nodes' own gradients differ, in units of L‖x*‖"
                value={spread}
                min={0}
                max={100}
                onChange={(value) => change({ spread: value })}
              />
              <Range
                label="Gradient noise"
                symbol="σ"
                note="of one gradient, in the same units"
                value={sigma}
                min={0}
                max={100}
                onChange={(value) => change({ sigma: value })}
              />
            </>
          ) : null}
        </div>
      </details>
    </section>
  );
}
