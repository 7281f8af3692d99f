/** What goes wrong, as a form: everything that a click on the picture does, and the list of it. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Cut, Kill } from "../fault-fields.ts";
import { change, view } from "../store.ts";
import { holds, turnLink, turnNode } from "./faults.ts";
import { t } from "./player.ts";

const during = ({ from, until }: Kill | Cut) =>
  until === undefined ? `from round ${from} on` : `rounds ${from} to ${until - 1}`;

function NodeInput({ label, value, onChange }: { label: string; value: number; onChange(value: number): void }) {
  const id = useId();
  return (
    <span class="small-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={view.value.n - 1}
        value={value}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          if (Number.isInteger(typed) && typed >= 0 && typed < view.value.n) onChange(typed);
        }}
      />
    </span>
  );
}

export function FaultPanel() {
  const { kill, cut, node, n } = view.value;
  const first = useSignal(0);
  const second = useSignal(1);
  // A node that was looked at is gone where n has become smaller.
  const selected = node !== undefined && node < n ? node : 0;
  const isDown = kill.some((entry) => entry.node === selected && holds(entry, t.value));
  const pair: Cut["pair"] = [first.value, second.value];
  const turned = turnLink(cut, pair, t.value);
  const isCut = turned.length < cut.length || turned.some(({ until }) => until === t.value);
  return (
    <section class="panel" aria-label="What goes wrong">
      <h2>Break it</h2>
      <div class="row tight">
        <NodeInput label="Node" value={selected} onChange={(value) => change({ node: value })} />
        <button type="button" onClick={() => change({ kill: turnNode(kill, selected, t.value) })}>
          {isDown ? "Revive" : "Kill"}
        </button>
      </div>
      <div class="row tight">
        <NodeInput label="Link" value={first.value} onChange={(value) => (first.value = value)} />
        <NodeInput label="to" value={second.value} onChange={(value) => (second.value = value)} />
        <button type="button" disabled={first.value === second.value} onClick={() => change({ cut: turned })}>
          {isCut ? "Mend" : "Cut"}
        </button>
      </div>
      {kill.length + cut.length === 0 ? (
        <p class="note">Nothing is broken. A node that is down neither sends nor receives; its number stays.</p>
      ) : (
        <ul class="entries">
          {kill.map((entry) => (
            <li key={`${entry.node} ${entry.from}`}>
              <span>
                node {entry.node} down, {during(entry)}
              </span>
              <button
                type="button"
                aria-label={`Forget: node ${entry.node} down`}
                onClick={() => change({ kill: kill.filter((other) => other !== entry) })}
              >
                ×
              </button>
            </li>
          ))}
          {cut.map((entry) => (
            <li key={`${entry.pair.join()} ${entry.from}`}>
              <span>
                link {entry.pair.join("–")} cut, {during(entry)}
              </span>
              <button
                type="button"
                aria-label={`Forget: link ${entry.pair.join(" to ")} cut`}
                onClick={() => change({ cut: cut.filter((other) => other !== entry) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
