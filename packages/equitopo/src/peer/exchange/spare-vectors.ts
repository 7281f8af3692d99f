/** Memory of received vectors that is no longer needed, for the next ones of the same kind. */

import { giveRow, takeRow } from "../../kernel/space.ts";
import { allocate, type ElementType, typeOf, type Vector } from "./transport.ts";

export class Spare {
  readonly #vectors = new Map<string, Vector[]>();

  take(type: ElementType, length: number): Vector {
    const spare = this.#vectors.get(`${type} ${length}`)?.pop();
    return spare ?? (type === "uint8" ? undefined : takeRow(type, length)) ?? allocate(type, length);
  }

  give(data: Vector): void {
    const name = `${typeOf(data)} ${data.length}`;
    const spare = this.#vectors.get(name);
    if (spare === undefined) {
      // Lengths are few; where they are many, none is worth keeping.
      if (this.#vectors.size >= 8) this.#vectors.clear();
      this.#vectors.set(name, [data]);
    } else if (spare.length < 4) spare.push(data);
    else if (!(data instanceof Uint8Array)) giveRow(data);
  }
}
