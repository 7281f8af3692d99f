/** Timing by the best of several runs: the least disturbed one. */

export function best(repeats: number, run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`.padStart(10);
}

/** The best time in ms of each of the works, taken in turn until a second has passed. */
export function interleaved(works: readonly (() => void)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  const start = performance.now();
  for (let pass = 0; pass < 200 || performance.now() - start < 1000; pass++) {
    works.forEach((work, k) => {
      const before = performance.now();
      work();
      least[k] = Math.min(least[k], performance.now() - before);
    });
    if (performance.now() - start > 5000) break;
  }
  return least;
}
