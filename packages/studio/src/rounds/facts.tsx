/** The round in numbers, topologies beside each other: what it came to so far, and the node that is looked at. */

import { showBytes, showCount, titleOf } from "equitopo/picture";
import type { ComponentChildren } from "preact";
import { showNumber } from "../part/numbers.ts";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble } from "../trouble.ts";
import { turnLink, turnNode } from "./faults.ts";
import type { Frame, Inspected, Seen } from "./frame.ts";

interface Column {
  readonly chosen: Chosen;
  readonly frame: Frame;
}

export function columnsOf(topologies: readonly Chosen[], seen: readonly Seen[]): Column[] {
  return topologies.flatMap((chosen, place) => {
    const frame = seen[place];
    return frame === undefined || isTrouble(frame) ? [] : [{ chosen, frame }];
  });
}

interface FactRowProps {
  readonly name: string;
  readonly fact: string;
  readonly columns: readonly Column[];
  cell(frame: Frame): ComponentChildren;
}

/** data-fact names the row for whoever reads the page by program. */
function FactRow({ name, fact, columns, cell }: FactRowProps) {
  return (
    <tr data-fact={fact}>
      <th scope="row">{name}</th>
      {columns.map(({ chosen, frame }, place) => (
        <td key={place} data-topology={chosen.name}>
          {cell(frame)}
        </td>
      ))}
    </tr>
  );
}

function Head({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        <td />
        {columns.map(({ chosen }, place) => (
          <th key={place} scope="col">
            {titleOf(chosen.name)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** As a share of what it was; a mean of 0 has none, and the drift is then the shift itself. */
function meanInWords({ drift, mean, isKept }: Frame) {
  const digits = (value: number) => (value < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(2))));
  const shift = mean === 0 ? `by ${digits(drift)}` : `${digits(100 * drift)} %`;
  return <span class={isKept ? "good" : "trouble"}>{isKept ? "kept" : `shifted ${shift}`}</span>;
}

/** What differs by rounding only is shown as the same. */
const meanNowInWords = ({ mean, meanNow, isKept }: Frame) => showNumber(isKept ? mean : meanNow);

export function FactsPanel({ columns }: { columns: readonly Column[] }) {
  if (columns.length === 0) return null;
  return (
    <section class="panel" aria-label="What it came to">
      <table class="numbers" id="facts">
        <Head columns={columns} />
        <tbody>
          <FactRow {...{ columns }} name="Disagreement" fact="error" cell={({ error }) => showNumber(error)} />
          <FactRow
            {...{ columns }}
            name="of the start’s"
            fact="share"
            cell={({ error, firstError }) => showNumber(firstError === 0 ? 0 : error / firstError)}
          />
          <FactRow {...{ columns }} name="The mean is" fact="kept" cell={meanInWords} />
          <FactRow {...{ columns }} name="at the start" fact="mean" cell={({ mean }) => showNumber(mean)} />
          <FactRow {...{ columns }} name="now" fact="mean-now" cell={meanNowInWords} />
          <FactRow {...{ columns }} name="Sent per node" fact="bytes" cell={({ bytes }) => showBytes(bytes)} />
        </tbody>
      </table>
    </section>
  );
}

/** A list that may be long: some, and how many more there are. */
function nodesInWords(partners: readonly { readonly node: number }[]): string {
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
  const row = (name: string, fact: string, cell: (inspected: Inspected) => ComponentChildren) => (
    <FactRow {...{ name, fact, columns }} cell={({ inspected: other }) => (other === undefined ? null : cell(other))} />
  );
  const { kill, cut } = view.value;
  const { t } = columns[0].frame;
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
      <table class="numbers">
        <Head columns={columns} />
        <tbody>
          {row("Value", "value", ({ value }) => showNumber(value))}
          {row("Hears from", "from", ({ from }) => nodesInWords(from.filter(({ arrives }) => arrives)))}
          {row("Sends to", "to", ({ to }) => nodesInWords(to))}
          {row("Next, from", "next-from", ({ nextFrom }) => nodesInWords(nextFrom))}
          {row("Next, to", "next-to", ({ nextTo }) => nodesInWords(nextTo))}
          {row("Has sent", "sent", ({ bytes }) => showBytes(bytes))}
        </tbody>
      </table>
      <div class="row">
        <button type="button" onClick={() => change({ kill: turnNode(kill, node, t) })}>
          {down ? "Revive" : "Kill"} {node}
        </button>
        {partners.map((partner) => (
          <button key={partner} type="button" onClick={() => change({ cut: turnLink(cut, [node, partner], t) })}>
            Cut {node}–{partner}
          </button>
        ))}
      </div>
    </section>
  );
}
