/**
 * The seats of a room: who may sit where. Whoever comes takes the lowest free seat and is given a secret; with it, a tab
 * that was reloaded gets the same seat back. Every taking has the next epoch, so that what was meant for the one before
 * can be told apart; only a member whose links still stand (it lost its socket to the server, no more) keeps its epoch.
 *
 *     free -> taken        by anybody, or again by its secret
 *     taken -> away        its socket is lost: it may be back in a moment
 *     away -> taken        by its secret
 *     away, taken -> free  it left, or was away for too long
 */

import { type Guest, type Listening, type Occupant, sameSecret, type Wanted } from "./protocol.ts";

export interface SeatState {
  readonly rank: number;
  /** 0 before anybody sat there. */
  readonly epoch: number;
  readonly state: "free" | "taken" | "away";
  readonly socket: number | undefined;
  readonly secret: string;
  readonly guest: Guest | undefined;
  /** Once it has announced itself. */
  readonly occupant: Occupant | undefined;
}

/** A seat, and the socket of the same member that it replaces. */
export interface Taken {
  readonly seat: SeatState;
  readonly replaced: number | undefined;
}

const lastEpoch = 0xffff;

export class Seats {
  readonly #seats: SeatState[];

  constructor(size: number) {
    this.#seats = Array.from({ length: size }, (_, rank) => {
      return {
        rank,
        epoch: 0,
        state: "free",
        socket: undefined,
        secret: "",
        guest: undefined,
        occupant: undefined,
      } as const;
    });
  }

  get all(): readonly SeatState[] {
    return this.#seats;
  }

  /** Those who sit and have announced themselves, or are away for a moment. */
  get occupants(): readonly Occupant[] {
    return this.#seats.flatMap(({ state, occupant }) => (state === "free" || !occupant ? [] : [occupant]));
  }

  of(socket: number): SeatState | undefined {
    return this.#seats.find((seat) => seat.socket === socket);
  }

  /** A seat for somebody; or why there is none. `secret` is a fresh one. */
  take(socket: number, guest: Guest, want: Wanted | undefined, secret: string): Taken | "full" | "taken" {
    if (want === undefined) {
      const free = this.#seats.find(({ state, epoch }) => state === "free" && epoch < lastEpoch);
      return free === undefined ? "full" : this.#sit(free, socket, guest, free.epoch + 1, secret);
    }
    const seat = this.#seats[want.rank];
    if (seat === undefined) return "taken";
    const same = seat.epoch > 0 && want.secret !== undefined && sameSecret(want.secret, seat.secret);
    // Whoever still has the links of this very epoch goes on with them.
    if (same && want.epoch === seat.epoch) return this.#sit(seat, socket, guest, seat.epoch, seat.secret);
    if ((!same && seat.state !== "free") || seat.epoch === lastEpoch) return "taken";
    return this.#sit(seat, socket, guest, seat.epoch + 1, same ? seat.secret : secret);
  }

  #sit(seat: SeatState, socket: number, guest: Guest, epoch: number, secret: string): Taken {
    const { rank } = seat;
    const anew = epoch !== seat.epoch;
    const next: SeatState = {
      ...{ rank, epoch, state: "taken", socket, secret, guest },
      occupant: anew ? undefined : seat.occupant,
    };
    this.#seats[rank] = next;
    return { seat: next, replaced: seat.socket };
  }

  /** Whoever sits there can be linked with from now on. */
  announce(socket: number, listening: Listening): Occupant | undefined {
    const seat = this.of(socket);
    if (seat?.guest === undefined) return undefined;
    const { rank, epoch } = seat;
    const { runtime, rtc, seal } = seat.guest;
    const occupant = { rank, epoch, runtime, rtc, seal, listening };
    this.#seats[rank] = { ...seat, occupant };
    return occupant;
  }

  /** The socket is lost. */
  away(socket: number): SeatState | undefined {
    return this.#change(this.of(socket), "away");
  }

  /** It left, or has been away for too long since; not where somebody sits there again. */
  free(rank: number, epoch: number): SeatState | undefined {
    const seat = this.#seats[rank];
    return seat?.epoch === epoch && seat.state !== "free" ? this.#change(seat, "free") : undefined;
  }

  #change(seat: SeatState | undefined, state: "away" | "free"): SeatState | undefined {
    if (seat === undefined) return undefined;
    this.#seats[seat.rank] = { ...seat, state, socket: undefined };
    return this.#seats[seat.rank];
  }
}
