/**
 * The controls of every view: each has a label, the paper's symbol where it has one, and one line that says what it means.
 * Values are the view's; what a control changes is changed there, and so in the address.
 */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface Meaning {
  readonly label: string;
  /** As the paper writes it: "n", "β". */
  readonly symbol?: string;
  /** What it means, in one line. */
  readonly note?: ComponentChildren;
}

function Label({ id, label, symbol, children }: Meaning & { id: string; children?: ComponentChildren }) {
  return (
    <span class="field-head">
      <label for={id}>
        {label}
        {symbol === undefined ? null : <var>{symbol}</var>}
      </label>
      {children}
    </span>
  );
}

const Note = ({ id, note }: { id: string; note: ComponentChildren }) =>
  note === undefined ? null : (
    <p class="note" id={id}>
      {note}
    </p>
  );

interface RangeProps extends Meaning {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  /** Equal ways on the slider are equal factors. */
  readonly log?: boolean;
  /** Whole numbers only. */
  readonly whole?: boolean;
  onChange(value: number): void;
}

const STEPS = 1000;

/** A slider with a box to type in. */
export function Range({ value, min, max, step, log = false, whole = false, onChange, ...meaning }: RangeProps) {
  const id = useId();
  // A logarithmic slider from 0 would never get there.
  const [low, high] = log ? [Math.log(Math.max(min, 1e-12)), Math.log(max)] : [min, max];
  const place = ((log ? Math.log(Math.max(value, 1e-12)) : value) - low) / (high - low);
  const settle = (given: number) => {
    if (!Number.isFinite(given)) return;
    const stepped = step === undefined ? given : Math.round(given / step) * step;
    onChange(Math.min(max, Math.max(min, Number((whole ? Math.round(stepped) : stepped).toPrecision(6)))));
  };
  const valueAt = (position: number) => {
    const at = low + (position / STEPS) * (high - low);
    return log ? Math.exp(at) : at;
  };
  return (
    <div class="field">
      <Label id={id} {...meaning}>
        <input
          class="number"
          type="number"
          aria-label={`${meaning.label}, typed`}
          min={min}
          max={max}
          step={step ?? (whole ? 1 : "any")}
          value={value}
          onChange={({ currentTarget }) => settle(currentTarget.valueAsNumber)}
        />
      </Label>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        step={1}
        value={Math.round(place * STEPS)}
        aria-valuetext={String(value)}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => settle(valueAt(currentTarget.valueAsNumber))}
      />
      <Note id={`${id}-note`} note={meaning.note} />
    </div>
  );
}

interface ChoiceProps<T extends string> extends Meaning {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly group?: string }[];
  onChange(value: T): void;
}

/** One of several, in a list that opens; options of one group stand under its name. */
export function Choice<T extends string>({ value, options, onChange, ...meaning }: ChoiceProps<T>) {
  const id = useId();
  const groups = [...new Set(options.map(({ group }) => group))];
  const shown = (group: string | undefined) =>
    options
      .filter((option) => option.group === group)
      .map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ));
  return (
    <div class="field">
      <Label id={id} {...meaning} />
      <select
        id={id}
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
      >
        {groups.map((group) =>
          group === undefined ? (
            shown(group)
          ) : (
            <optgroup key={group} label={group}>
              {shown(group)}
            </optgroup>
          ),
        )}
      </select>
      <Note id={`${id}-note`} note={meaning.note} />
    </div>
  );
}

/** One of a few, all to be seen. */
export function Segments<T extends string>({ value, options, onChange, ...meaning }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset class="field" aria-describedby={`${id}-note`}>
      <legend class="field-head">
        <span>
          {meaning.label}
          {meaning.symbol === undefined ? null : <var>{meaning.symbol}</var>}
        </span>
      </legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <Note id={`${id}-note`} note={meaning.note} />
    </fieldset>
  );
}

interface ToggleProps extends Meaning {
  readonly value: boolean;
  readonly disabled?: boolean;
  onChange(value: boolean): void;
}

/** On or off. */
export function Toggle({ value, disabled = false, onChange, ...meaning }: ToggleProps) {
  const id = useId();
  return (
    <div class="field toggle">
      <input
        id={id}
        type="checkbox"
        checked={value}
        disabled={disabled}
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <Label id={id} {...meaning} />
      <Note id={`${id}-note`} note={meaning.note} />
    </div>
  );
}
