/** Numbers in words that are not the library's (equitopo/picture has rates, counts, bytes and seconds). */

/** Four digits; a power of ten where it is very small or large. */
export function showNumber(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

/** 93.5 %. */
export function showShare(share: number): string {
  return Number.isNaN(share) ? "–" : `${(100 * share).toFixed(1)} %`;
}
