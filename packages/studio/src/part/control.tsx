/**
 * The controls of every view: each has a label, the paper's symbol where it has one, and one line that says what it means.
 * A view names the fields that it sets; each field says how it is set (field.ts), and its value is part of the view, and so
 * of the address.
 */

import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { change, view } from "../store.ts";
import type { Look } from "../view/field.ts";
import { fields } from "../view/fields.ts";
import type { View } from "../view/view.ts";

export interface Meaning extends Omit<Look, "note"> {
  readonly note?: ComponentChildren;
}

interface Props<V> extends Meaning {
  readonly value: V;
  onChange(value: V): void;
}

const Name = ({ label, symbol }: Meaning) => (
  <>
    {label}
    {symbol === undefined ? null : <var>{symbol}</var>}
  </>
);

const Note = ({ id, note }: { id: string; note: ComponentChildren }) =>
  note === undefined ? null : (
    <p class="note" id={`${id}-note`}>
      {note}
    </p>
  );

interface FramedProps extends Meaning {
  readonly id: string;
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A control below its label; `beside` is shown on the label's line. */
const Framed = ({ id, beside, children, label, symbol, note }: FramedProps) => (
  <div class="field">
    <span class="field-head">
      <label for={id}>
        <Name label={label} symbol={symbol} />
      </label>
      {beside}
    </span>
    {children}
    <Note id={id} note={note} />
  </div>
);

/** Several controls under one name. */
export function Group({ children, label, symbol, note }: Omit<FramedProps, "id" | "beside">) {
  const id = useId();
  return (
    <fieldset class="field" aria-describedby={`${id}-note`}>
      <legend class="field-head">
        <Name label={label} symbol={symbol} />
      </legend>
      {children}
      <Note id={id} note={note} />
    </fieldset>
  );
}

const STEPS = 1000;

/** A slider with a box to type in. */
function Range({ value, onChange, ...meaning }: Props<number>) {
  const id = useId();
  const { min = 0, max = 1, step, log = false, whole = false } = meaning;
  // The logarithm of 0 is no place on a slider.
  const place = (at: number) => (log ? Math.log(Math.max(at, 1e-12)) : at);
  const [low, high] = [place(min), place(max)];
  const settle = (given: number, digits: number) => {
    if (!Number.isFinite(given)) return;
    const unit = step ?? (whole ? 1 : undefined);
    const stepped = unit === undefined ? given : Math.round(given / unit) * unit;
    onChange(Math.min(max, Math.max(min, Number(stepped.toPrecision(digits)))));
  };
  const slide = (position: number) => {
    const at = low + (position / STEPS) * (high - low);
    settle(log ? Math.exp(at) : at, log && !whole ? 3 : 6);
  };
  const box = (
    <input
      class="number"
      type="number"
      aria-label={`${meaning.label}, typed`}
      min={min}
      max={max}
      step={step ?? (whole ? 1 : "any")}
      value={value}
      onChange={({ currentTarget }) => settle(currentTarget.valueAsNumber, 6)}
    />
  );
  return (
    <Framed id={id} beside={box} {...meaning}>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        step={1}
        value={Math.round(((place(value) - low) / (high - low)) * STEPS)}
        aria-valuetext={String(value)}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => slide(currentTarget.valueAsNumber)}
      />
    </Framed>
  );
}

export interface Choosable {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
}

/** One of several, in a list that opens; options of one group are listed under its name. */
export function Choice({ value, options, onChange, ...meaning }: Props<string> & { options: readonly Choosable[] }) {
  const id = useId();
  const groups = [...new Set(options.map(({ group }) => group))].map((group) => {
    const shown = options
      .filter((option) => option.group === group)
      .map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ));
    return group === undefined ? shown : <optgroup label={group}>{shown}</optgroup>;
  });
  return (
    <Framed id={id} {...meaning}>
      <select id={id} aria-describedby={`${id}-note`} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {groups}
      </select>
    </Framed>
  );
}

export function Segments({ value, choices = {}, onChange, ...meaning }: Props<string>) {
  const id = useId();
  return (
    <Group {...meaning}>
      <div class="segments">
        {Object.entries(choices).map(([one, label]) => (
          <label key={one}>
            <input type="radio" name={id} value={one} checked={one === value} onChange={() => onChange(one)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </Group>
  );
}

export function Toggle({ value, disabled = false, onChange, ...meaning }: Props<boolean> & { disabled?: boolean }) {
  const id = useId();
  const box = (
    <input
      id={id}
      type="checkbox"
      checked={value}
      disabled={disabled}
      aria-describedby={`${id}-note`}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
  return <Framed id={id} beside={box} {...meaning} />;
}

/** How many letters fit on one line of a column of controls. */
const MOST_LETTERS = 30;

interface ControlProps extends Partial<Meaning> {
  readonly name: keyof View;
  /** Used in place of the field's own value, which may be undefined. */
  readonly value?: unknown;
  onChange?(value: never): void;
}

/** The control of a field, with what differs in this view. */
export function Control({ name, value = view.value[name], onChange, ...differing }: ControlProps): JSX.Element {
  const look: Meaning = { ...(fields[name].look as Look), ...differing };
  const props = { ...look, value: value as never, onChange: onChange ?? ((to: never) => change({ [name]: to })) };
  if (look.choices !== undefined) {
    const options = Object.entries(look.choices).map(([one, label]) => ({ value: one, label }));
    const letters = options.reduce((sum, { label }) => sum + label.length, 0);
    return letters > MOST_LETTERS ? <Choice {...props} options={options} /> : <Segments {...props} />;
  }
  return look.min === undefined ? <Toggle {...props} /> : <Range {...props} />;
}

export const Controls = ({ names }: { names: readonly (keyof View)[] }) => (
  <>
    {names.map((name) => (
      <Control key={name} name={name} />
    ))}
  </>
);

export const More = ({ title = "More", children }: { title?: string; children: ComponentChildren }) => (
  <details>
    <summary>{title}</summary>
    <div class="controls">{children}</div>
  </details>
);
