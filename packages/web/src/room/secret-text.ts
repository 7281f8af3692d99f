/** Comparing secrets without telling by the time it takes how much of a guess was right. */

/** Whether two texts are the same; the time depends on their lengths alone. */
export function sameSecret(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let k = 0; k < a.length; k++) difference |= a.charCodeAt(k) ^ b.charCodeAt(k % Math.max(1, b.length));
  return difference === 0;
}
