/** The round in numbers: what it came to so far, topology by topology, and the node that is looked at. */

import { showBytes, showCount, showNumber } from "../part/numbers.ts";
import { TopologyName } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble } from "../trouble.ts";
import { turnLink, turnNode } from "./faults.ts";
import type { Frame, Inspected, Partner, Seen } from "./frame.ts";

/** Rounding moves a mean by less than this. */
const KEPT = 1e-12;

export function FactsPanel({ chosen, seen }: { chosen: Chosen; seen: Seen | undefined }) {
  if (seen === undefined || isTrouble(seen)) return null;
  const share = seen.firstError === 0 ? 0 : seen.error / seen.firstError;
  const kept = seen.drift < KEPT;
  return (
    <section class="panel" aria-label={`What it came to: ${chosen.name}`} data-facts={chosen.name}>
      <h2>
        <TopologyName chosen={chosen} />
      </h2>
      <dl class="facts">
        <dt>disagreement</dt>
        <dd>{showNumber(seen.error)}</dd>
        <dt>of the start’s</dt>
        <dd>{showNumber(share)}</dd>
        <dt>mean</dt>
        <dd class={kept ? "good" : "trouble"}>{kept ? "kept" : `shifted by ${showNumber(100 * seen.drift)} %`}</dd>
        <dt>now / at first</dt>
        <dd>
          {showNumber(seen.meanNow)} / {showNumber(seen.mean)}
        </dd>
        <dt>sent, busiest node</dt>
        <dd>{showBytes(seen.bytes)}</dd>
      </dl>
      {seen.inspected === undefined ? null : <NodeFacts inspected={seen.inspected} frame={seen} />}
    </section>
  );
}

/** A list that may be long: some, and how many more there are. */
function partnersInWords(partners: readonly { readonly node: number }[]): string {
  if (partners.length === 0) return "nobody";
  const shown = partners.slice(0, 8).map(({ node }) => node);
  const more = partners.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${showCount(more)} more` : ""}`;
}

function NodeFacts({ inspected, frame }: { inspected: Inspected; frame: Frame }) {
  const { node, value, bytes, down, from, to, nextFrom, nextTo } = inspected;
  const { kill, cut } = view.value;
  const [partner] = [...to, ...from] as (Partner | undefined)[];
  return (
    <div class="node-facts" data-node={node}>
      <h3>
        Node {node}
        {down ? ", down" : ""}
      </h3>
      <dl class="facts">
        <dt>value</dt>
        <dd>{showNumber(value)}</dd>
        <dt>hears from</dt>
        <dd>{partnersInWords(from.filter(({ arrives }) => arrives))}</dd>
        <dt>sends to</dt>
        <dd>{partnersInWords(to)}</dd>
        <dt>next round, from</dt>
        <dd>{partnersInWords(nextFrom)}</dd>
        <dt>next round, to</dt>
        <dd>{partnersInWords(nextTo)}</dd>
        <dt>sent so far</dt>
        <dd>{showBytes(bytes)}</dd>
      </dl>
      <div class="row">
        <button type="button" onClick={() => change({ kill: turnNode(kill, node, frame.t) })}>
          {down ? "Revive" : "Kill"}
        </button>
        {partner === undefined ? null : (
          <button type="button" onClick={() => change({ cut: turnLink(cut, [node, partner.node], frame.t) })}>
            Cut {node}–{partner.node}
          </button>
        )}
      </div>
    </div>
  );
}
