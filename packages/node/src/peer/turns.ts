/**
 * Whose turn it is to be dialled. Handshakes cost processor time at both ends, and all of them at once would finish late,
 * or run into their deadlines and begin again. So a few that a round waits for are under way at a time, in the order in
 * which they were asked for; and where there are none, one of the others, followed by a pause of `rest` times as long as
 * it took: where the machine or the network is busy, these give way to what somebody waits for.
 */

/** Begins the work of a turn; `done` is called when it is over, well or not. */
type Begin = (done: () => void) => void;

const rest = 3;

export class Turns {
  readonly #limit: number;
  readonly #urgent = new Map<number, Begin>();
  readonly #ahead = new Map<number, Begin>();
  #running = 0;
  #pause: NodeJS.Timeout | undefined;

  /** `limit` turns at a time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls `begin` when it is that peer's turn. One place in the queue for each: asking again only makes it urgent. */
  ask(peer: number, urgent: boolean, begin: Begin): void {
    if (urgent) {
      this.#urgent.set(peer, this.#urgent.get(peer) ?? this.#ahead.get(peer) ?? begin);
      this.#ahead.delete(peer);
    } else if (!this.#urgent.has(peer)) this.#ahead.set(peer, this.#ahead.get(peer) ?? begin);
    this.#next();
  }

  /** Gives up its place. */
  forget(peer: number): void {
    this.#urgent.delete(peer);
    this.#ahead.delete(peer);
  }

  #next(): void {
    while (this.#running < this.#limit) {
      const urgent = this.#urgent.size > 0;
      if (!urgent && (this.#running > 0 || this.#pause !== undefined)) return;
      const first = (urgent ? this.#urgent : this.#ahead).entries().next().value;
      if (first === undefined) return;
      const [peer, begin] = first;
      this.forget(peer);
      this.#running++;
      const begun = performance.now();
      let over = false;
      begin(() => {
        if (over) return;
        over = true;
        this.#running--;
        if (!urgent) this.#rest(rest * (performance.now() - begun));
        this.#next();
      });
    }
  }

  #rest(milliseconds: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#next();
    }, milliseconds);
    this.#pause.unref();
  }
}
