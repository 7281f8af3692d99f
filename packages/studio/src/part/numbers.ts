/** Numbers in words: few digits, and the sign of the thousand. */

export function showCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** Four digits; a power of ten where it is very small or large. */
export function showNumber(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${showCount(bytes)} B`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${["B", "kB", "MB", "GB"][power]}`;
}

export function showSeconds(seconds: number): string {
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return `${Number((seconds * 1e6).toPrecision(3))} µs`;
  return seconds < 1 ? `${Number((seconds * 1e3).toPrecision(3))} ms` : `${Number(seconds.toPrecision(3))} s`;
}
