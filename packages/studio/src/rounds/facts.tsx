/** The round in numbers, topologies beside each other: what it came to so far, and the node that is looked at. */

import { showBytes, showCount } from "equitopo/internal/picture";
import type { ComponentChildren } from "preact";
import { showNumber } from "../part/numbers.ts";
import { Table } from "../part/table.tsx";
import { change, view } from "../store.ts";
import { type Chosen, nameOf } from "../view/topology-field.ts";
import type { Frame } from "../work/frame.ts";
import { isTrouble, type Trouble } from "../work/trouble.ts";
import { holds, turn } from "./faults.ts";
import { shownTopologies } from "./player.ts";

type Column = { readonly chosen: Chosen; readonly frame: Frame };

/** The topologies that have a frame. */
export function columnsOf(seen: readonly (Frame | Trouble)[]): Column[] {
  return shownTopologies.value.flatMap((chosen, place) => {
    const frame = seen[place];
    return frame === undefined || isTrouble(frame) ? [] : [{ chosen, frame }];
  });
}

/** A row: its name, its name for whoever reads the page by program, and what it says of a frame. */
type Row = readonly [name: string, fact: string, cell: (frame: Frame) => ComponentChildren];

type NumbersProps = { columns: readonly Column[]; rows: readonly Row[]; label: string; id?: string };

function Numbers({ columns, rows, ...named }: NumbersProps) {
  return (
    <div class="numbers">
      <Table
        {...named}
        columns={[`round ${columns[0].frame.t}`, ...columns.map(({ chosen }) => nameOf(chosen))]}
        rows={rows.map(([name, fact, cell]) => ({
          cells: [name, ...columns.map(({ frame }) => cell(frame))],
          attributes: { "data-fact": fact },
        }))}
      />
    </div>
  );
}

/** As a share of the nodes' distance from it at the start; of the mean itself would be of next to nothing, as a rule. */
function meanInWords({ shift, isKept }: Frame) {
  const share = 100 * shift;
  const shown = share < 0.1 ? share.toExponential(0) : String(Number(share.toPrecision(2)));
  return <span class={isKept ? "good" : "trouble"}>{isKept ? "kept" : `shifted ${shown} %`}</span>;
}

const facts: readonly Row[] = [
  ["Disagreement", "error", ({ error }) => showNumber(error)],
  ["of the start’s", "share", ({ error, firstError }) => showNumber(firstError === 0 ? 0 : error / firstError)],
  ["Mean at the start", "mean", ({ mean }) => showNumber(mean)],
  // What differs by rounding only is shown as the same.
  ["Mean now", "mean-now", ({ mean, meanNow, isKept }) => showNumber(isKept ? mean : meanNow)],
  ["Mean kept?", "kept", meanInWords],
  ["Sent per node", "bytes", ({ bytes }) => showBytes(bytes)],
];

export const FactsPanel = ({ columns }: { columns: readonly Column[] }) =>
  columns.length === 0 ? null : (
    <section class="panel" aria-label="What it came to">
      <Numbers id="facts" label="In numbers" columns={columns} rows={facts} />
      {columns.every(({ frame }) => frame.isKept) ? null : (
        <p class="note" id="reference">
          100 %: the nodes’ root mean square distance from the mean at the start.
        </p>
      )}
    </section>
  );

/** The partners of the next round; none of a node that will be down then. (Partners may be: they are talked to in vain.) */
function willTalk<P>({ inspected, t }: Frame, partners: readonly P[] = []): readonly P[] {
  return view.value.kill.some((one) => one.node === inspected?.node && holds(one, t + 1)) ? [] : partners;
}

/** Of the node that is looked at. */
const nodeFacts: readonly Row[] = [
  ["Value", "value", ({ inspected }) => inspected && showNumber(inspected.value)],
  ["Hears from", "from", ({ inspected }) => nodesInWords(inspected?.from.filter(({ arrives }) => arrives))],
  ["Sends to", "to", ({ inspected }) => nodesInWords(inspected?.down ? [] : inspected?.to)],
  ["Next, from", "next-from", (frame) => nodesInWords(willTalk(frame, frame.inspected?.nextFrom))],
  ["Next, to", "next-to", (frame) => nodesInWords(willTalk(frame, frame.inspected?.nextTo))],
  ["Has sent", "sent", ({ inspected }) => inspected && showBytes(inspected.bytes)],
];

/** A list that may be long: some, and how many more there are. */
function nodesInWords(partners: readonly { readonly node: number }[] = []): string {
  if (partners.length === 0) return "nobody";
  const ordered = partners.map(({ node }) => node).sort((a, b) => a - b);
  const shown = ordered.slice(0, 6);
  const more = partners.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` + ${showCount(more)}` : ""}`;
}

export function NodePanel({ columns }: { columns: readonly Column[] }) {
  const inspected = columns[0]?.frame.inspected;
  if (inspected === undefined) {
    return <p class="note">Click a node to see whom it talks to, what it holds and what it has sent.</p>;
  }
  const { node, down } = inspected;
  const { kill, cut } = view.value;
  const { t } = columns[0].frame;
  const cutOff = (partner: number) => turn(cut, { pair: [node, partner], from: t });
  const links = columns.flatMap(({ frame }) => frame.inspected?.to.slice(0, 2) ?? []);
  const partners = [...new Set(links.map((partner) => partner.node))];
  return (
    <section class="panel" aria-label={`Node ${node}`} data-node={node}>
      <header class="row">
        <h2>
          Node {node}
          {down ? ", down" : ""}
        </h2>
        <button type="button" class="quiet" aria-label="Look at no node" onClick={() => change({ node: undefined })}>
          ×
        </button>
      </header>
      <Numbers label="This node in numbers" columns={columns} rows={nodeFacts} />
      <div class="row">
        <button type="button" onClick={() => change({ kill: turn(kill, { node, from: t }) })}>
          {down ? "Revive" : "Kill"} {node}
        </button>
        {partners.map((partner) => (
          <button key={partner} type="button" onClick={() => change({ cut: cutOff(partner) })}>
            Cut {node}–{partner}
          </button>
        ))}
      </div>
    </section>
  );
}
