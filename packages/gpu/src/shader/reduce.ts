/** Sums over a workgroup in a fixed order, in WGSL. */

/** `fn total(me, value) -> f32`: the sum of every thread's value, for all of them. `threads` is a power of two. */
export function workgroupSum(threads: number): string {
  return `var<workgroup> totalSums: array<f32, ${threads}>;
fn total(me: u32, value: f32) -> f32 {
  totalSums[me] = value;
  workgroupBarrier();
  for (var half = ${threads / 2}u; half > 0u; half /= 2u) {
    if (me < half) { totalSums[me] += totalSums[me + half]; }
    workgroupBarrier();
  }
  let sum = totalSums[0];
  workgroupBarrier();
  return sum;
}
`;
}

/** A power of two of threads for so many elements. */
export function threadsFor(elements: number): number {
  let threads = 32;
  while (threads < 256 && 2 * threads <= elements) threads *= 2;
  return threads;
}
