/** Sums over a workgroup in a fixed order, in WGSL. */

/** `fn NAME(me, value) -> element`: the sum of every thread's value, for all of them. `threads` is a power of two. */
export function workgroupSum(name: string, threads: number, element = "f32"): string {
  return `var<workgroup> ${name}Sums: array<${element}, ${threads}>;
fn ${name}(me: u32, value: ${element}) -> ${element} {
  ${name}Sums[me] = value;
  workgroupBarrier();
  for (var half = ${threads / 2}u; half > 0u; half /= 2u) {
    if (me < half) { ${name}Sums[me] += ${name}Sums[me + half]; }
    workgroupBarrier();
  }
  let sum = ${name}Sums[0];
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
