/**
 * How far a sender may be ahead. A link cannot be paused, so a receiver says in advance how much it takes: letters that it
 * has got and whose rounds it has not left yet count, so many bytes and a little for each letter, and a sender begins a
 * letter only while what it has sent on the link is below what was granted. A sender far ahead so waits for its receiver,
 * in place of being refused, and nobody holds more than the window and one letter of any peer.
 */

/** What a letter counts besides its bytes: early letters are few, however small (early-letters.ts keeps 4,096 of them). */
const overhead = 4096;

/** The most that is worth granting, so that letters of no bytes at all stay within 4,096. */
export const widestWindow = 4096 * overhead;

export const costOf = (bytes: number): number => overhead + bytes;

/** The receiver's side, for one peer. */
export class Credit {
  readonly #window: number;
  #letters: { readonly round: number; readonly cost: number }[] = [];
  #held = 0;
  /** On the link of now: what came, and what was granted. */
  #taken = 0;
  #granted = 0;

  constructor(window: number) {
    this.#window = window;
  }

  /** A new link: its first grant. Letters of the old one still count. */
  open(): number {
    this.#taken = 0;
    this.#granted = Math.max(0, this.#window - this.#held);
    return this.#granted;
  }

  /** A letter has come; `held` where its round is not over. False where it was sent without credit. */
  take(round: number, bytes: number, held: boolean): boolean {
    if (this.#taken >= this.#granted) return false;
    const cost = costOf(bytes);
    this.#taken += cost;
    if (!held) return true;
    this.#held += cost;
    this.#letters.push({ round, cost });
    return true;
  }

  /** The rounds below this one are over. False where no letter is held any more. */
  leave(round: number): boolean {
    this.#letters = this.#letters.filter(({ round: of }) => of >= round);
    this.#held = this.#letters.reduce((sum, { cost }) => sum + cost, 0);
    return this.#held > 0;
  }

  /** What to grant now, where it is worth a message: a quarter of the window more than before. */
  grant(): number | undefined {
    const total = this.#taken + this.#window - this.#held;
    if (total - this.#granted < this.#window / 4) return undefined;
    this.#granted = total;
    return total;
  }
}
