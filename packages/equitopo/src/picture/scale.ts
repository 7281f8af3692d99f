/** Linear and logarithmic axes: values to pixels, and ticks at 1, 2, 5 times powers of ten or at whole powers. */

import { grouped } from "./text.ts";

export interface Tick {
  readonly value: number;
  /** Left out for a minor tick. */
  readonly label?: string;
  /** An exponent to be raised behind the label. */
  readonly power?: string;
}

export interface Scale {
  /** Pixels; NaN where the value has no place (not finite, too far off, or not positive on a logarithmic axis). */
  readonly map: (value: number) => number;
  readonly ticks: readonly Tick[];
}

export type Range = readonly [low: number, high: number];

/** `count` is the most ticks that shall bear labels. */
export function scale(range: Range, pixels: Range, log: boolean, count: number): Scale {
  const along = (value: number) => (log ? (value > 0 ? Math.log10(value) : Number.NaN) : value);
  const [low, high] = [along(range[0]), along(range[1])];
  const map = (value: number) => {
    const at = pixels[0] + ((along(value) - low) / (high - low)) * (pixels[1] - pixels[0]);
    return Math.abs(at) < largest ? at : Number.NaN;
  };
  return { map, ticks: log ? logTicks(range, count) : linearTicks(range, count) };
}

/** Beyond this a linear axis would overflow in its own arithmetic. */
const largest = 1e300;

/**
 * The range of finite (and, on a logarithmic axis, positive) values, widened by a share on both sides; a range too
 * narrow for doubles to count ticks in is widened until they can.
 */
export function rangeOf(values: Iterable<number>, log: boolean, widen: number): Range | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value) || (log ? value <= 0 : Math.abs(value) > largest)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return undefined;
  if (log) {
    const decades = Math.log10(high) - Math.log10(low);
    const pad = decades < 1e-9 ? 0.5 : decades * widen;
    return [Math.max(low / 10 ** pad, Number.MIN_VALUE), Math.min(high * 10 ** pad, Number.MAX_VALUE)];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  const pad =
    high - low <= Math.max(size * 1e-9, 1 / largest) ? (size > 1 / largest ? size / 2 : 1) : (high - low) * widen;
  return [low - pad, high + pad];
}

function linearTicks([low, high]: Range, count: number): Tick[] {
  const rough = (high - low) / Math.max(1, count);
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
    const ticks = linearTicks([low, high], count).filter((tick) => tick.value > 0);
    if (ticks.length > 1) return ticks;
  }
  const every = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200].find((step) => (last - first) / step + 1 <= count) ?? 500;
  const ticks: Tick[] = [];
  for (let k = first - 1; k <= last; k++) {
    const value = 10 ** k;
    if (value === 0) continue;
    if (k >= first)
      ticks.push(k % every === 0 ? { value, label: "10", power: String(k).replace("-", "−") } : { value });
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
