/** Events on a modelled clock: the earliest comes first; of two at one time, the one of the lower rank. A binary heap. */

interface Entry {
  readonly time: number;
  readonly rank: number;
}

const before = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.rank < b.rank);

export class Agenda<T extends Entry> {
  readonly #heap: T[] = [];

  /** O(log entries). */
  add(entry: T): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(entry, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = entry;
  }

  get first(): T | undefined {
    return this.#heap[0];
  }

  /** O(log entries). */
  take(): T | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
