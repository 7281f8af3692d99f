/**
 * The server's side of a room as a machine without sockets, files or clocks: it is given what came, and returns what is to be
 * done. It gives seats, says who is here, forwards texts and relayed messages between seats of the epochs they were
 * meant for, and says when all are ready. It never sees the key, and keeps nothing of what it forwards.
 *
 * A newcomer takes the lowest free seat and is given a secret; with it, a tab that was reloaded gets the same seat back.
 * Each time that a seat is taken its epoch goes up by one, so that messages for an earlier occupant are recognised; only a
 * member that still has its links (only its socket to the server has closed) keeps the epoch.
 *
 *     free -> taken        by anybody, or again by its secret
 *     taken -> away        its socket has closed: it may be back in a moment
 *     away -> taken        by its secret
 *     away, taken -> free  it left, or was away for too long
 */

import { relayAddress, relayHeader } from "../link/relay-link.ts";
import {
  type FromRoom,
  type Guest,
  type Join,
  type Occupant,
  protocolVersion,
  type Refusal,
  sameSecret,
  type ToRoom,
} from "./protocol.ts";
import { reportJoiner } from "./report.ts";

interface SeatState {
  readonly rank: number;
  /** 0 before anybody sat there. */
  epoch: number;
  state: "free" | "taken" | "away";
  socket: number | undefined;
  secret: string;
  guest: Guest | undefined;
  /** Once it has announced itself. */
  occupant: Occupant | undefined;
  /** Whether all its links are open. */
  ready: boolean;
}

const lastEpoch = 0xffff;
const isFree = ({ state, epoch }: SeatState) => state === "free" && epoch < lastEpoch;

export interface RoomOptions {
  readonly room: string;
  /** SHA-256("room" key). */
  readonly proof: string;
  readonly size: number;
  /** What every seat is given (runs-document.ts), and the milliseconds for one exchange. */
  readonly runs: string;
  readonly timeout: number;
  /** Characters of one report at most. */
  readonly reportLength: number;
  /** A fresh secret, of at most 64 characters. */
  readonly secret: () => string;
}

export type RoomAction =
  | { readonly kind: "send"; readonly socket: number; readonly message: FromRoom }
  /** Nothing more is taken from this socket. */
  | { readonly kind: "close"; readonly socket: number; readonly reason: Refusal }
  /** The member loses its seat unless it comes back in time: call `lapse` when the time is over. */
  | { readonly kind: "away"; readonly rank: number; readonly epoch: number }
  | { readonly kind: "report"; readonly rank: number; readonly text: string }
  /** A seat has changed: its member, or whether that is ready. */
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
  readonly #seats: readonly SeatState[];
  readonly #reports: ReturnType<typeof reportJoiner>;
  readonly #relayed = new Map<number, { messages: number; bytes: number }>();
  #started = false;

  constructor(options: RoomOptions) {
    this.#options = options;
    const nobody = { state: "free", socket: undefined, guest: undefined, occupant: undefined, ready: false } as const;
    this.#seats = Array.from({ length: options.size }, (_, rank) => ({ ...nobody, rank, epoch: 0, secret: "" }));
    this.#reports = reportJoiner(options.reportLength);
  }

  get started(): boolean {
    return this.#started;
  }

  get seats(): readonly SeatView[] {
    return this.#seats.map(({ rank, epoch, state, guest, ready }) => {
      const sits = state !== "free";
      return { rank, epoch, state, runtime: sits ? guest?.runtime : undefined, ready: sits && ready };
    });
  }

  get relayed(): readonly RelayCount[] {
    const { size } = this.#options;
    return [...this.#relayed].map(([pair, count]) => ({ pair: [Math.floor(pair / size), pair % size], ...count }));
  }

  /** The seat that this socket has: one without may send one message only. */
  rankOf(socket: number): number | undefined {
    return this.#of(socket)?.rank;
  }

  #of(socket: number): SeatState | undefined {
    return this.#seats.find((seat) => seat.socket === socket);
  }

  /** A message came from a socket; undefined stands for one that could not be read. */
  heard(socket: number, message: ToRoom | undefined): RoomAction[] {
    const seat = this.#of(socket);
    if (message === undefined || (message.kind === "join") !== (seat === undefined)) {
      return this.#refuse(socket, "malformed");
    }
    if (message.kind === "join") return this.#join(socket, message);
    return this.#said(seat as SeatState, message);
  }

  #said(seat: SeatState, message: Exclude<ToRoom, Join>): RoomAction[] {
    switch (message.kind) {
      case "announce": {
        const { rank, epoch, guest } = seat;
        const { runtime, rtc, seal } = guest as Guest;
        seat.occupant = { rank, epoch, runtime, rtc, seal, listening: message.listening };
        return this.#tellAll(rank, { kind: "here", occupant: seat.occupant });
      }
      case "signal": {
        const target = this.#seats[message.to];
        // It was meant for a member that is no longer there.
        if (target?.socket === undefined || target.epoch !== message.epoch) return [];
        const { rank: from, epoch } = seat;
        return [this.#send(target.socket, { kind: "signal", from, epoch, text: message.text })];
      }
      case "ready":
      case "waiting":
        seat.ready = message.kind === "ready";
        return [{ kind: "change" }, ...this.#start()];
      case "report": {
        const text = this.#reports.add(seat.socket as number, message);
        if (text === "oversize") return this.#refuse(seat.socket as number, "malformed");
        return text === undefined ? [] : [{ kind: "report", rank: seat.rank, text }];
      }
      case "leave":
        return this.#free(seat);
    }
  }

  /** A socket is closed. */
  closed(socket: number): RoomAction[] {
    this.#reports.forget(socket);
    const seat = this.#of(socket);
    if (seat === undefined) return [];
    Object.assign(seat, { state: "away", socket: undefined });
    return [{ kind: "away", rank: seat.rank, epoch: seat.epoch }, { kind: "change" }];
  }

  /** The member that was away has not come back in time. */
  lapse(rank: number, epoch: number): RoomAction[] {
    const seat = this.#seats[rank];
    return seat?.state === "away" && seat.epoch === epoch ? this.#free(seat) : [];
  }

  /**
   * Where a relayed message goes: its address is rewritten in place, since the sender is the member of its seat. Undefined
   * if no one may have it.
   */
  relay(socket: number, bytes: Uint8Array): number | undefined {
    const seat = this.#of(socket);
    const header = relayHeader(bytes);
    if (seat === undefined || header === undefined) return undefined;
    const target = this.#seats[header.to % 65_536];
    if (target?.socket === undefined || relayAddress(target) !== header.to || target === seat) return undefined;
    new DataView(bytes.buffer, bytes.byteOffset, bytes.length).setUint32(4, relayAddress(seat), true);
    const [low, high] = [Math.min(seat.rank, target.rank), Math.max(seat.rank, target.rank)];
    const pair = low * this.#options.size + high;
    const count = this.#relayed.get(pair) ?? { messages: 0, bytes: 0 };
    this.#relayed.set(pair, { messages: count.messages + 1, bytes: count.bytes + bytes.length });
    return target.socket;
  }

  #join(socket: number, join: Join): RoomAction[] {
    const { room, proof, size, runs, timeout } = this.#options;
    if (join.version !== protocolVersion) return this.#refuse(socket, "version");
    // Both are always compared, so that no one learns which rooms there are.
    if ([sameSecret(join.room, room), sameSecret(join.proof, proof)].includes(false)) {
      return this.#refuse(socket, "key");
    }
    const seat = this.#seatFor(join);
    if (typeof seat === "string") return this.#refuse(socket, seat);
    const { rank, epoch, secret, socket: replaced } = seat;
    Object.assign(seat, { state: "taken", socket, guest: join });
    const others = this.#seats.filter(({ state, rank: other }) => state !== "free" && other !== rank);
    // Those that have announced themselves, or are away for a moment.
    const here = others.flatMap(({ occupant }) => occupant ?? []);
    const started = this.#started;
    return [
      ...(replaced === undefined ? [] : this.#refuse(replaced, "replaced")),
      this.#send(socket, { kind: "seat", rank, size, epoch, secret, runs, timeout, started, here }),
      { kind: "change" },
      // The member may have been away, and the last that was missing.
      ...this.#start(),
    ];
  }

  /** A seat for the member, in an epoch of its own; or why there is none. */
  #seatFor({ want }: Join): SeatState | "full" | "taken" {
    const seat = want === undefined ? this.#seats.find(isFree) : this.#seats[want.rank];
    if (seat === undefined) return want === undefined ? "full" : "taken";
    const secret = this.#options.secret();
    const same = seat.epoch > 0 && want?.secret !== undefined && sameSecret(want.secret, seat.secret);
    // A member that still has the links of this very epoch goes on with them.
    if (same && want.epoch === seat.epoch) return seat;
    if ((!same && seat.state !== "free") || seat.epoch === lastEpoch) return "taken";
    const begun = { epoch: seat.epoch + 1, secret: same ? seat.secret : secret, occupant: undefined, ready: false };
    return Object.assign(seat, begun);
  }

  #free(seat: SeatState): RoomAction[] {
    const { rank, epoch } = seat;
    Object.assign(seat, { state: "free", socket: undefined });
    return [...this.#tellAll(rank, { kind: "gone", rank, epoch }), { kind: "change" }];
  }

  /** Once, when every seat is taken and ready. */
  #start(): RoomAction[] {
    if (this.#started || !this.#seats.every(({ state, ready }) => state === "taken" && ready)) return [];
    this.#started = true;
    return this.#tellAll(-1, { kind: "start" });
  }

  #tellAll(except: number, message: FromRoom): RoomAction[] {
    return this.#seats.flatMap(({ rank, socket }) =>
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
