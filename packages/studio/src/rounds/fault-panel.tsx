/** What goes wrong, as a form: everything that a click on the picture does, and the list of it. */

import { useSignal } from "@preact/signals";
import { change, view } from "../store.ts";
import type { Cut, Kill } from "../view/fields.ts";
import { holds, turn } from "./faults.ts";
import { rounds } from "./player.ts";

const during = ({ from, until }: Kill | Cut) =>
  until === undefined ? `from round ${from} on` : `rounds ${from} to ${until - 1}`;

function NodeInput({ label, value, onChange }: { label: string; value: number; onChange(value: number): void }) {
  return (
    <label class="row tight">
      {label}
      <input
        type="number"
        min={0}
        max={view.value.n - 1}
        value={value}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          if (Number.isInteger(typed) && typed >= 0 && typed < view.value.n) onChange(typed);
        }}
      />
    </label>
  );
}

export function FaultPanel() {
  const { kill, cut, node, n } = view.value;
  const t = rounds.at.value;
  const pair = useSignal<Cut["pair"]>([0, 1]);
  const [first, second] = pair.value;
  // A node that was looked at is gone where n has become smaller.
  const selected = node !== undefined && node < n ? node : 0;
  const isDown = kill.some((entry) => entry.node === selected && holds(entry, t));
  const turned = turn(cut, { pair: pair.value, from: t });
  const isCut = turned.length < cut.length || turned.some(({ until }) => until === t);
  const entry = (fault: Kill | Cut, words: string, forget: () => void) => (
    <li class="row" key={`${words} ${fault.from}`}>
      <span>
        {words}, {during(fault)}
      </span>
      <button type="button" aria-label={`Forget: ${words}`} onClick={forget}>
        ×
      </button>
    </li>
  );
  const without = <F,>(faults: readonly F[], fault: F) => faults.filter((other) => other !== fault);
  return (
    <section class="panel" aria-label="What goes wrong">
      <h2>Break it</h2>
      <div class="row tight">
        <NodeInput label="Node" value={selected} onChange={(value) => change({ node: value })} />
        <button type="button" onClick={() => change({ kill: turn(kill, { node: selected, from: t }) })}>
          {isDown ? "Revive" : "Kill"}
        </button>
      </div>
      <div class="row tight">
        <NodeInput label="Link" value={first} onChange={(value) => (pair.value = [value, second])} />
        <NodeInput label="to" value={second} onChange={(value) => (pair.value = [first, value])} />
        <button type="button" disabled={first === second} onClick={() => change({ cut: turned })}>
          {isCut ? "Mend" : "Cut"}
        </button>
      </div>
      {kill.length + cut.length === 0 ? (
        <p class="note">Nothing is broken. A node that is down neither sends nor receives; its number stays.</p>
      ) : (
        <ul class="entries">
          {kill.map((one) => entry(one, `node ${one.node} down`, () => change({ kill: without(kill, one) })))}
          {cut.map((one) => entry(one, `link ${one.pair.join("–")} cut`, () => change({ cut: without(cut, one) })))}
        </ul>
      )}
    </section>
  );
}
