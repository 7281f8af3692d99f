/** Numbers for people. */

import type { Rate } from "../rate/rate.ts";

/** Six digits of a rate or an eigenvalue, more if it is so near 1 that six would hide the gap. */
export function showRate(rate: number): string {
  if (Number.isInteger(rate)) return String(rate);
  const gap = 1 - rate;
  // An iteration may find 1 without its last digits.
  if (Math.abs(gap) < 1e-12) return "1";
  if (gap > 0 && gap < 1e-4) return rate.toFixed(Math.min(15, Math.ceil(-Math.log10(gap)) + 2));
  // A sum may leave a rounding error instead of 0.
  if (Math.abs(rate) < 1e-12) return "0";
  return Math.abs(rate) < 1e-3 ? rate.toPrecision(6) : rate.toFixed(6);
}

/** A rate that may have more digits than fit beside a 1: 1 - 1.32e-17. */
export function showRateOf({ rate, gap }: Rate): string {
  return gap !== undefined && gap > 0 && gap < 1e-12 ? `1 - ${gap.toPrecision(3)}` : showRate(rate);
}

/** 94,520; a dash for infinity. */
export function showCount(count: number): string {
  if (count === Number.POSITIVE_INFINITY) return "-";
  return count < 1e15 ? count.toLocaleString("en-GB") : count.toExponential(2);
}

/** A number of iterations: 1,234,567 or 5.9e+22; a dash for infinity. */
export function showIterations(count: number): string {
  return count < 1e7 || count === Number.POSITIVE_INFINITY ? showCount(Math.ceil(count)) : count.toExponential(1);
}

/** Three digits and a decimal unit: 320 kB. */
export function showBytes(bytes: number): string {
  if (bytes === Number.POSITIVE_INFINITY) return "-";
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  let unit = 0;
  let value = bytes;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const text = value >= 100 || unit === 0 ? value.toFixed(0) : value.toPrecision(3);
  return `${text} ${units[unit]}`;
}

/** 1e-6, 0.01. */
export function showFactor(factor: number): string {
  return factor < 1e-3 ? factor.toExponential() : String(factor);
}

/** Three digits and a unit: 8.07 ms. */
export function showSeconds(seconds: number): string {
  if (seconds === Number.POSITIVE_INFINITY) return "-";
  if (seconds === 0) return "0 s";
  const [factor, unit] = seconds < 9.995e-4 ? [1e6, "us"] : seconds < 0.9995 ? [1e3, "ms"] : [1, "s"];
  const value = seconds * (factor as number);
  return `${value >= 1000 ? showCount(Math.round(value)) : Number(value.toPrecision(3))} ${unit}`;
}
