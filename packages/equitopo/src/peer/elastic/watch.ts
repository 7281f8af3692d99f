/**
 * Who is there: a failure detector by silence. A peer from whom nothing has come for `silence` milliseconds is missed; one
 * whose way the lane has called gone (a closed or refused connection) and who has not been heard of since, after
 * `absence`. It may be wrong, and nothing but speed depends on its being right: a member is only taken out where a
 * majority of all members misses it, and by their votes.
 *
 * A program that stood still itself has heard nobody. `tick` notices that its own clock jumped and blames nobody for it.
 */

export interface Patience {
  /** Milliseconds between two beats. */
  readonly beat: number;
  readonly silence: number;
  readonly absence: number;
}

export class Watch {
  readonly #patience: Patience;
  readonly #heard = new Map<number, number>();
  readonly #gone = new Map<number, number>();
  #ticked: number;

  constructor(patience: Patience, now: number) {
    this.#patience = patience;
    this.#ticked = now;
  }

  /** Something came from that seat. */
  heard(seat: number, now: number): void {
    this.#heard.set(seat, now);
    this.#gone.delete(seat);
  }

  /** The lane knows that the way to that seat is closed. */
  gone(seat: number, now: number): void {
    if (!this.#gone.has(seat)) this.#gone.set(seat, now);
  }

  /** Begins to watch those that were not watched. */
  begin(seats: Iterable<number>, now: number): void {
    for (const seat of seats) if (!this.#heard.has(seat)) this.#heard.set(seat, now);
  }

  tick(now: number): void {
    const slept = now - this.#ticked - 2 * this.#patience.beat;
    this.#ticked = now;
    if (slept <= 0) return;
    for (const times of [this.#heard, this.#gone]) for (const [seat, time] of times) times.set(seat, time + slept);
  }

  misses(seat: number, now: number): boolean {
    const { silence, absence } = this.#patience;
    const [heard, gone] = [this.#heard.get(seat), this.#gone.get(seat)];
    return (heard !== undefined && now - heard > silence) || (gone !== undefined && now - gone > absence);
  }

  /** Whether something came from that seat within so many milliseconds. */
  hears(seat: number, within: number, now: number): boolean {
    const heard = this.#heard.get(seat);
    return heard !== undefined && now - heard <= within;
  }
}
