/**
 * Memory of received vectors that is no longer needed, for the next ones of the same kind. Rows lie in the space of their length
 * while there is room in it, beside those that they are combined with; what is kept here lies anywhere.
 */

import { giveRow, takeRow } from "../../kernel/space.ts";
import { allocate, type ElementType, typeOf, type Vector } from "./transport.ts";

export class Spare {
  readonly #vectors = new Map<string, Vector[]>();

  take(type: ElementType, length: number): Vector {
    const row = type === "uint8" ? undefined : takeRow(type, length);
    return row ?? this.#vectors.get(`${type} ${length}`)?.pop() ?? allocate(type, length);
  }

  give(data: Vector): void {
    if (!(data instanceof Uint8Array) && giveRow(data)) return;
    const name = `${typeOf(data)} ${data.length}`;
    const spare = this.#vectors.get(name);
    if (spare === undefined) {
      // Lengths are few; where they are many, none is worth keeping.
      if (this.#vectors.size >= 8) this.#vectors.clear();
      this.#vectors.set(name, [data]);
    } else if (spare.length < 4) spare.push(data);
  }
}
