/** What is set: topologies, size, losses, and under "More" what is seldom touched. */

import { Controls, More } from "../part/control.tsx";
import { GraphFile, TopologyChoice } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import type { Chosen } from "../view/topology-field.ts";

/** Changes the topology at a place of the list; undefined takes it out. */
function setTopology(place: number, chosen: Chosen | undefined): void {
  const { topology } = view.peek();
  change({ topology: topology.toSpliced(place, 1, ...(chosen === undefined ? [] : [chosen])) });
}

/** What the nodes hold at first, and the draws. */
export const dataFields = ["start", "rounds", "d", "seed"] as const;

export function RoundsControls() {
  const { topology, n } = view.value;
  return (
    <section class="controls" aria-label="Settings">
      <TopologyChoice label="Topology" n={n} value={topology[0]} onChange={(chosen) => setTopology(0, chosen)} />
      <TopologyChoice
        label="Beside it"
        none="nothing"
        n={n}
        value={topology[1]}
        onChange={(chosen) => setTopology(1, chosen)}
      />
      <Controls names={["n", "drop", "push"]} />
      <More>
        <Controls names={[...dataFields, "layout", "contrast"]} />
        <GraphFile />
      </More>
    </section>
  );
}
