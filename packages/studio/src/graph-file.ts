/** A graph from a file of the person's, dropped on the page: it takes the first place among the topologies of the view. */

import { signal } from "@preact/signals";
import { newDesk } from "./desk.ts";
import { change, view } from "./store.ts";
import { MOST_LEARNING, MOST_NODES } from "./view/fields.ts";

/** Why a file could not be read as a graph, in words. */
export const graphTrouble = signal<string | undefined>(undefined);

const desk = newDesk();

/** Shows the graph in the view that is open, or as rounds where that shows no topologies. */
export async function openGraph(file: File): Promise<void> {
  try {
    await import("./work/graphs.ts");
    const graph = await desk.ask("graph", new Uint8Array(await file.arrayBuffer()));
    if (graph === undefined) return;
    const { n } = graph;
    if (n > MOST_NODES) throw new Error(`this page shows at most ${MOST_NODES} nodes, and it has ${n}`);
    const chosen = { name: "file", path: file.name, graph };
    const { view: shown, topology } = view.peek();
    const others = topology.filter(({ name }) => name !== "file").slice(0, 1);
    change({
      ...{ topology: [chosen, ...others], graph: chosen, n, t: undefined },
      ...(n <= MOST_LEARNING ? { learningN: n } : {}),
      ...(shown === "advice" || shown === "runs" ? { view: "rounds" as const } : {}),
    });
    graphTrouble.value = undefined;
  } catch (error) {
    graphTrouble.value = `${file.name} cannot be shown: ${(error as Error).message}`;
  }
}
