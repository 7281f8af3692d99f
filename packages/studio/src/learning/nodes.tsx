/** The nodes as buttons: who holds what, and whose model is looked at. */

import { change, theme, view } from "../store.ts";
import type { LearningFrame } from "../work/learning/frame.ts";
import { classColour, leaningsOf } from "./plane.ts";

const shapes = ["●", "■", "▲", "◆"];

export function Nodes({ frame }: { frame: LearningFrame }) {
  const { learningN: n, learningNode } = view.value;
  const { scene } = frame;
  const leanings = leaningsOf(scene, n);
  return (
    <section class="panel">
      <h2>Nodes</h2>
      <div class="row">
        <button
          type="button"
          aria-pressed={learningNode === undefined}
          onClick={() => change({ learningNode: undefined })}
        >
          mean
        </button>
        {Array.from({ length: n }, (_, node) => (
          <button
            key={node}
            type="button"
            aria-pressed={learningNode === node}
            aria-label={`Node ${node}, holds most of class ${leanings[node]}`}
            onClick={() => change({ learningNode: learningNode === node ? undefined : node })}
          >
            <span aria-hidden="true" style={{ color: classColour(leanings[node], theme()) }}>
              {shapes[leanings[node]]}
            </span>
            {node}
          </button>
        ))}
      </div>
      <p class="note" id="holding">
        {learningNode === undefined || learningNode >= n
          ? `Each holds about ${Math.round(scene.labels.length / n)} of ${scene.labels.length} points. Choose one, or click a point, to see its model and its data.`
          : `Node ${learningNode} holds ${held(frame, learningNode)}.`}
      </p>
    </section>
  );
}

/** "20 of class 0, 20 of class 1". */
function held({ scene: { labels, owners, classes } }: LearningFrame, node: number): string {
  const counts = Array.from(
    { length: classes },
    (_, label) => labels.filter((one, k) => one === label && owners[k] === node).length,
  );
  return counts.flatMap((count, label) => (count === 0 ? [] : [`${count} points of class ${label}`])).join(", ");
}
