/**
 * The server's side of a room as a machine without sockets, files or clocks: what came in goes in, what is to be done
 * comes out. It gives seats, says who is here, forwards texts and relayed messages between seats of the epochs they were
 * meant for, and says when all are ready. It never sees the key, and keeps nothing of what it forwards.
 */

import { relayHeader } from "../link/relay-link.ts";
import { type FromRoom, type Join, protocolVersion, type Refusal, sameSecret, type ToRoom } from "./protocol.ts";
import { addressee, stampSender } from "./relay.ts";
import { Reports } from "./report.ts";
import { type SeatState, Seats, type Taken } from "./seats.ts";

export interface RoomOptions {
  readonly room: string;
  /** SHA-256("room" key). */
  readonly proof: string;
  readonly size: number;
  /** What every seat is given (handed-runs.ts), and the milliseconds for one exchange. */
  readonly runs: string;
  readonly timeout: number;
  /** Characters of one report at most. */
  readonly reportLength: number;
  /** A fresh secret, of at most 64 characters. */
  readonly secret: () => string;
}

/** What is to be done. */
export type RoomAction =
  | { readonly kind: "send"; readonly socket: number; readonly message: FromRoom }
  /** Nothing more is taken from this socket. */
  | { readonly kind: "close"; readonly socket: number; readonly reason: Refusal }
  /** Its seat is lost unless it comes back within a while: then tell `lapse`. */
  | { readonly kind: "away"; readonly rank: number; readonly epoch: number }
  | { readonly kind: "report"; readonly rank: number; readonly text: string }
  /** Who sits where, or how far they are, has changed. */
  | { readonly kind: "change" };

/** What is shown of a seat. */
export interface SeatView extends Pick<SeatState, "rank" | "epoch" | "state"> {
  readonly runtime: "browser" | "node" | undefined;
  readonly ready: boolean;
}

/** What went through the relay between two seats. */
export interface RelayCount {
  readonly pair: readonly [number, number];
  readonly messages: number;
  readonly bytes: number;
}

export class Room {
  readonly #options: RoomOptions;
  readonly #seats: Seats;
  readonly #reports: Reports;
  /** Epochs that said they are ready, by rank. */
  readonly #ready: number[];
  readonly #relayed = new Map<number, { messages: number; bytes: number }>();
  #started = false;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#seats = new Seats(options.size);
    this.#reports = new Reports(options.reportLength);
    this.#ready = new Array(options.size).fill(0);
  }

  get started(): boolean {
    return this.#started;
  }

  get seats(): readonly SeatView[] {
    return this.#seats.all.map(({ rank, epoch, state, guest }) => {
      const runtime = state === "free" ? undefined : guest?.runtime;
      return { rank, epoch, state, runtime, ready: state !== "free" && this.#ready[rank] === epoch };
    });
  }

  get relayed(): readonly RelayCount[] {
    const { size } = this.#options;
    return [...this.#relayed].map(([pair, count]) => ({ pair: [Math.floor(pair / size), pair % size], ...count }));
  }

  /** Whether this socket has a seat: a stranger may say one thing only. */
  seated(socket: number): boolean {
    return this.#seats.of(socket) !== undefined;
  }

  /** A socket said something; undefined stands for what could not be read. */
  heard(socket: number, message: ToRoom | undefined): RoomAction[] {
    const seat = this.#seats.of(socket);
    if (message === undefined || (message.kind === "join") !== (seat === undefined)) {
      return this.#refuse(socket, "malformed");
    }
    if (message.kind === "join") return this.#join(socket, message);
    return this.#said(seat as SeatState, message);
  }

  #said(seat: SeatState, message: Exclude<ToRoom, Join>): RoomAction[] {
    switch (message.kind) {
      case "announce": {
        const occupant = this.#seats.announce(seat.socket as number, message.listening);
        return occupant === undefined ? [] : this.#tellAll(seat.rank, { kind: "here", occupant });
      }
      case "signal": {
        const target = this.#seats.all[message.to];
        // Meant for one who is no longer there.
        if (target?.socket === undefined || target.epoch !== message.epoch) return [];
        const { rank: from, epoch } = seat;
        return [this.#send(target.socket, { kind: "signal", from, epoch, text: message.text })];
      }
      case "ready":
        this.#ready[seat.rank] = seat.epoch;
        return [{ kind: "change" }, ...this.#start()];
      case "waiting":
        this.#ready[seat.rank] = 0;
        return [{ kind: "change" }];
      case "report": {
        const text = this.#reports.add(seat.socket as number, message);
        if (text === "oversize") return this.#refuse(seat.socket as number, "malformed");
        return text === undefined ? [] : [{ kind: "report", rank: seat.rank, text }];
      }
      case "leave":
        return this.#free(this.#seats.free(seat.rank, seat.epoch));
    }
  }

  /** A socket is closed. */
  closed(socket: number): RoomAction[] {
    this.#reports.forget(socket);
    const seat = this.#seats.away(socket);
    return seat === undefined ? [] : [{ kind: "away", rank: seat.rank, epoch: seat.epoch }, { kind: "change" }];
  }

  /** Who was away has not come back in time. */
  lapse(rank: number, epoch: number): RoomAction[] {
    return this.#seats.all[rank]?.state === "away" ? this.#free(this.#seats.free(rank, epoch)) : [];
  }

  /**
   * Where a relayed message goes: its address is rewritten in place, since a sender is who its seat says. Undefined where
   * nobody is to have it.
   */
  relay(socket: number, bytes: Uint8Array): number | undefined {
    const seat = this.#seats.of(socket);
    const header = relayHeader(bytes);
    if (seat === undefined || header === undefined) return undefined;
    const { rank, epoch } = addressee(header.to);
    const target = this.#seats.all[rank];
    if (target?.socket === undefined || target.epoch !== epoch || target === seat) return undefined;
    stampSender(bytes, seat);
    const [low, high] = [Math.min(seat.rank, target.rank), Math.max(seat.rank, target.rank)];
    const pair = low * this.#options.size + high;
    const count = this.#relayed.get(pair) ?? { messages: 0, bytes: 0 };
    this.#relayed.set(pair, { messages: count.messages + 1, bytes: count.bytes + bytes.length });
    return target.socket;
  }

  #join(socket: number, join: Join): RoomAction[] {
    const { room, proof, size, runs, timeout } = this.#options;
    if (join.version !== protocolVersion) return this.#refuse(socket, "version");
    // Both are compared, whichever is wrong: nobody learns which rooms there are.
    if ([sameSecret(join.room, room), sameSecret(join.proof, proof)].includes(false)) {
      return this.#refuse(socket, "key");
    }
    const taken = this.#seats.take(socket, join, join.want, this.#options.secret());
    if (typeof taken === "string") return this.#refuse(socket, taken);
    const { rank, epoch, secret } = taken.seat;
    const here = this.#seats.occupants.filter((other) => other.rank !== rank);
    const started = this.#started;
    return [
      ...this.#replace(taken),
      this.#send(socket, { kind: "seat", rank, size, epoch, secret, runs, timeout, started, here }),
      { kind: "change" },
      // One who was away may have been the last that was missing.
      ...this.#start(),
    ];
  }

  #replace({ replaced }: Taken): RoomAction[] {
    return replaced === undefined ? [] : this.#refuse(replaced, "replaced");
  }

  #free(seat: SeatState | undefined): RoomAction[] {
    if (seat === undefined) return [];
    const { rank, epoch } = seat;
    return [...this.#tellAll(rank, { kind: "gone", rank, epoch }), { kind: "change" }];
  }

  /** Once, when every seat is taken and ready. */
  #start(): RoomAction[] {
    if (this.#started || !this.seats.every(({ state, ready }) => state === "taken" && ready)) return [];
    this.#started = true;
    return this.#tellAll(-1, { kind: "start" });
  }

  #tellAll(except: number, message: FromRoom): RoomAction[] {
    return this.#seats.all.flatMap(({ rank, socket }) =>
      rank === except || socket === undefined ? [] : [this.#send(socket, message)],
    );
  }

  #send(socket: number, message: FromRoom): RoomAction {
    return { kind: "send", socket, message };
  }

  #refuse(socket: number, reason: Refusal): RoomAction[] {
    return [this.#send(socket, { kind: "refused", reason }), { kind: "close", socket, reason }];
  }
}
