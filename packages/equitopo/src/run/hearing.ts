/**
 * How rows are mixed where somebody lies or nodes defend themselves: every liar says something in place of its row, every
 * node mixes its own true row with what it hears. Plain loops; the rows stay in the memory that they came in.
 */

import { honestRows, type Liars } from "../faults/liars.ts";
import type { Defence } from "../robust/defence.ts";
import { hearRound } from "../robust/hear.ts";
import type { Round, Rows } from "../round/round.ts";

export class Hearing {
  readonly #defence: Defence | undefined;
  readonly #liars: Liars | undefined;
  /** What was mixed last, by length: memory to write the next to. */
  readonly #spare = new Map<number, Rows>();

  constructor(defence: Defence | undefined, liars: Liars | undefined) {
    this.#defence = defence;
    this.#liars = liars;
  }

  /** The mixed rows, in x's own memory. O((n + edges) d). */
  mix(round: Round, x: Rows, exchange: number): Rows {
    const y = this.#spare.get(x.length) ?? x.slice();
    this.#spare.set(x.length, y);
    hearRound(round, x, this.#said(x, exchange), y, this.#defence);
    x.set(y);
    return x;
  }

  /** The rows as they are sent. */
  #said(x: Rows, exchange: number): Rows {
    const liars = this.#liars;
    if (liars === undefined) return x;
    const d = x.length / liars.marks.length;
    const rowOf = (rows: Rows, i: number) => rows.subarray(i * d, (i + 1) * d);
    const honest = honestRows(x, liars);
    const seen = Array.from({ length: honest.length / d }, (_, i) => rowOf(honest, i));
    const said = x.slice();
    for (const node of liars.nodes) said.set(liars.say(node, rowOf(x, node), exchange, seen), node * d);
    return said;
  }
}
