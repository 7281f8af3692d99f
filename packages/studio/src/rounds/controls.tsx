/** What is set: topologies, size, losses, and under "More" what is seldom touched. */

import { Choice, Range, Segments, Toggle } from "../part/control.tsx";
import { TopologyChoice } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { MOST_NODES } from "../view.ts";
import { MOST_ROUNDS } from "./fields.ts";

/** Changes the topology at a place of the list; undefined takes it out. */
export function setTopology(place: number, chosen: Chosen | undefined): void {
  const { topology } = view.peek();
  const others = [...topology.slice(0, place), ...(chosen === undefined ? [] : [chosen]), ...topology.slice(place + 1)];
  change({ topology: others });
}

export function SizeControl() {
  return (
    <Range
      label="Nodes"
      symbol="n"
      note="how many computers take part"
      value={view.value.n}
      min={2}
      max={MOST_NODES}
      log
      whole
      onChange={(n) => change({ n })}
    />
  );
}

export function LossControls() {
  const { drop, push } = view.value;
  return (
    <>
      <Range
        label="Messages lost"
        symbol="p"
        note="the probability that a message does not arrive; an exchange fails on both sides"
        value={drop}
        min={0}
        max={0.9}
        step={0.01}
        onChange={(value) => change({ drop: value })}
      />
      <Toggle
        label="Push-sum"
        symbol="x / v"
        note="weights travel along: the mean is kept although one-way messages are lost"
        value={push}
        onChange={(value) => change({ push: value })}
      />
    </>
  );
}

/** What the nodes hold at first, and the draws. */
export function DataControls() {
  const { start, seed, d, rounds } = view.value;
  return (
    <>
      <Choice
        label="Start"
        symbol="x(0)"
        note="what the nodes hold at first"
        value={start}
        options={[
          { value: "sorted", label: "normal numbers in order" },
          { value: "normal", label: "normal numbers" },
          { value: "split", label: "one half 1, the other −1" },
          { value: "one", label: "all of it at node 0" },
        ]}
        onChange={(value) => change({ start: value })}
      />
      <Range
        label="Rounds"
        symbol="T"
        note="how far it goes"
        value={rounds}
        min={10}
        max={MOST_ROUNDS}
        log
        whole
        onChange={(value) => change({ rounds: value })}
      />
      <Range
        label="Numbers a node"
        symbol="d"
        note="a message has this many numbers of 8 bytes; the colour shows the first"
        value={d}
        min={1}
        max={100}
        whole
        onChange={(value) => change({ d: value })}
      />
      <Range
        label="Seed"
        note="of the start, of the draws and of what is lost"
        value={seed}
        min={0}
        max={100}
        whole
        onChange={(value) => change({ seed: value })}
      />
    </>
  );
}

export function RoundsControls() {
  const { topology, n, layout, contrast } = view.value;
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <TopologyChoice label="Topology" n={n} value={topology[0]} onChange={(chosen) => setTopology(0, chosen)} />
      <TopologyChoice
        label="Beside it"
        none="nothing"
        n={n}
        value={topology[1]}
        onChange={(chosen) => setTopology(1, chosen)}
      />
      <SizeControl />
      <LossControls />
      <details>
        <summary>More</summary>
        <div class="controls">
          <DataControls />
          <Segments
            label="Nodes stand"
            note="a grid as a grid, or everything on a circle"
            value={layout}
            options={[
              { value: "own", label: "as they are" },
              { value: "circle", label: "on a circle" },
            ]}
            onChange={(value) => change({ layout: value })}
          />
          <Segments
            label="Colour"
            note="blue below the mean, orange above: against the start’s spread, or the present one"
            value={contrast}
            options={[
              { value: "start", label: "start" },
              { value: "now", label: "now" },
            ]}
            onChange={(value) => change({ contrast: value })}
          />
        </div>
      </details>
    </form>
  );
}
