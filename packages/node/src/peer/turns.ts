/**
 * Whose turn it is to be dialled. Handshakes cost processor time at both ends, and all of them at once would finish late,
 * or run into their deadlines and begin again; so a few are under way at a time, those that a round waits for first, the
 * others in the order in which they were asked for.
 */

export interface TurnsOptions {
  /** Handshakes under way at a time, and how many of them may be for connections that no round waits for yet. */
  readonly limit: number;
  readonly ahead: number;
  /** Milliseconds after which a handshake no longer counts: it waits for the network, or for a host that is gone. */
  readonly patience: number;
}

/** Begins the work of a turn; `done` is called when it is over, well or not. */
type Begin = (done: () => void) => void;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #urgent = new Map<number, Begin>();
  readonly #ahead = new Map<number, Begin>();
  #running = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
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
    const { limit, ahead, patience } = this.#options;
    for (;;) {
      const queue =
        this.#urgent.size > 0 && this.#running < limit
          ? this.#urgent
          : this.#urgent.size === 0 && this.#running < ahead
            ? this.#ahead
            : undefined;
      const first = queue?.entries().next().value;
      if (first === undefined) return;
      const [peer, begin] = first;
      this.forget(peer);
      this.#running++;
      let over = false;
      const done = () => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        this.#running--;
        this.#next();
      };
      const timer = setTimeout(done, patience);
      timer.unref();
      begin(done);
    }
  }
}
