/**
 * Linear and logarithmic axes: values to pixels, ticks at 1, 2, 5 times powers of ten or at whole powers, and which of the
 * two axes suits the data.
 */

import { grouped } from "./text.ts";

export interface Tick {
  readonly value: number;
  /** Left out for a minor tick. */
  readonly label?: string;
  /** An exponent, raised behind the label. */
  readonly power?: string;
}

export interface Scale {
  /** Pixels; NaN if the value has no place (not finite, too far away, or not positive on a logarithmic axis). */
  readonly map: (value: number) => number;
  readonly ticks: readonly Tick[];
}

export type Range = readonly [low: number, high: number];

/** `count` is the largest number of labelled ticks; `whole` allows ticks at whole numbers only. */
export function scale(range: Range, pixels: Range, log: boolean, count: number, whole = false): Scale {
  const along = (value: number) => (log ? (value > 0 ? Math.log10(value) : Number.NaN) : value);
  const [low, high] = [along(range[0]), along(range[1])];
  const map = (value: number) => {
    const at = pixels[0] + ((along(value) - low) / (high - low)) * (pixels[1] - pixels[0]);
    return Math.abs(at) < largest ? at : Number.NaN;
  };
  return { map, ticks: log ? logTicks(range, count) : linearTicks(range, count, whole) };
}

/** Beyond this the arithmetic of a linear axis would overflow. */
const largest = 1e300;

/**
 * The range of finite (and, on a logarithmic axis, positive) values, widened by a share on both sides. A range too narrow for
 * doubles to count ticks in is widened until they can.
 */
export function rangeOf(values: Iterable<number>, log: boolean, widen: number): Range | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value) || (log ? value <= 0 : Math.abs(value) > largest)) continue;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  if (low > high) return undefined;
  if (log) {
    const decades = Math.log10(high) - Math.log10(low);
    const pad = decades < 1e-9 ? 0.5 : decades * widen;
    return [Math.max(low / 10 ** pad, Number.MIN_VALUE), Math.min(high * 10 ** pad, Number.MAX_VALUE)];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  const narrow = high - low <= Math.max(size * 1e-9, 1 / largest);
  const pad = narrow ? (size > 1 / largest ? size / 2 : 1) : (high - low) * widen;
  return [low - pad, high + pad];
}

/** Whether positive values span a decade: less is easier to read on a linear axis. */
export function fillsDecade(values: Iterable<number>): boolean {
  const found = rangeOf(values, true, 0);
  return found !== undefined && found[1] >= 10 * found[0] * (1 - 1e-9);
}

/**
 * An axis of costs (bytes, seconds) for curves that end at `ends`. It is linear if all end within a factor of six, because a
 * logarithm would move everything to the right. Otherwise it is logarithmic, from a thirtieth of the least end on: costs
 * before that are the common start, drawn over decades.
 */
export function costAxis(ends: readonly number[]): { readonly xLog: boolean; readonly xRange?: Range } {
  const paid = ends.filter((end) => end > 0 && Number.isFinite(end));
  const [least, most] = [Math.min(...paid), Math.max(...paid)];
  if (paid.length === 0 || paid.length < ends.length || most <= 6 * least) return { xLog: false };
  return { xLog: true, xRange: [least / 30, most * 1.05] };
}

function linearTicks([low, high]: Range, count: number, whole = false): Tick[] {
  const rough = Math.max((high - low) / Math.max(1, count), whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const steps = Math.floor(high / step + 1e-9) - first;
  return Array.from({ length: Math.max(0, steps + 1) }, (_, i) => plain((first + i) * step, step));
}

function logTicks([low, high]: Range, count: number): Tick[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (last - first < 1) {
    const steps = [first - 1, first].flatMap((k) => [1, 2, 5].map((step) => plain(step * 10 ** k, 10 ** k)));
    const inside = steps.filter(({ value }) => value >= low && value <= high);
    if (inside.length > 2) return inside;
    const ticks = linearTicks([low, high], count).filter((tick) => tick.value > 0);
    if (ticks.length > 1) return ticks;
  }
  const every = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200].find((step) => (last - first) / step + 1 <= count) ?? 500;
  // Powers without a label are ticks, too, unless they would merge into a bar.
  const minor = every < 10 ? 1 : every / 5;
  const ticks: Tick[] = [];
  for (let k = first - 1; k <= last; k++) {
    const value = 10 ** k;
    if (value === 0) continue;
    if (k >= first && k % every === 0) ticks.push({ value, label: "10", power: String(k).replace("-", "−") });
    else if (k >= first && k % minor === 0) ticks.push({ value });
    if (last - first > 3) continue;
    for (let m = 2; m <= 9; m++) if (m * value >= low && m * value <= high) ticks.push({ value: m * value });
  }
  return ticks;
}

/** The label of a linear tick: as many decimals as the step needs, a power of ten for what is very large or small. */
function plain(value: number, step: number): Tick {
  if (value !== 0 && (Math.abs(value) >= 1e6 || step < 1e-4)) {
    const [mantissa, power] = Number(value.toPrecision(6)).toExponential().split("e");
    return { value, label: `${mantissa.replace("-", "−")}×10`, power: String(Number(power)).replace("-", "−") };
  }
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return { value, label: grouped(value.toFixed(decimals)).replace(/^−(0(\.0*)?)$/, "$1") };
}
