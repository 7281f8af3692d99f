/** Numbers of the learning view as they are shown. */

/** 93.5 %. */
export function showShare(share: number): string {
  return Number.isNaN(share) ? "–" : `${(100 * share).toFixed(1)} %`;
}

/** Four digits. */
export function showDistance(distance: number): string {
  return distance === 0 ? "0" : distance >= 1e-3 ? distance.toPrecision(4) : distance.toExponential(2);
}
