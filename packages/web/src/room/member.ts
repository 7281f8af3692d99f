/**
 * A peer's side of a room, for browsers and for Node: its options make the sockets and data channels of a runtime.
 *
 *     const member = await Member.join({ invite, ... });             a seat, and the runs
 *     const transport = new LinkTransport({ ...member.lane });
 *     await member.connect(transport);                                links to all that it will ever meet
 *     await reportingPeer({ transport, runs: member.runs, ... }, (event) => member.report(event));
 *     await member.leave();
 *
 * Before the first round every pair that will ever meet is linked, and the server says when all are ready. From then on the
 * server is not needed: links that break are made again by texts that go over other links, through a member that both are
 * linked with. Without a server no one gets a seat any more, and pairs that were relayed miss each other.
 */

import type { RunSpec } from "equitopo";
import { everyPartner, type PeerEvent, peersOf, specText } from "equitopo/internal/peer";
import type { LinkLaneOptions } from "../lane/link-lane.ts";
import type { RtcEnd } from "../link/connection.ts";
import { specHash } from "../link/introduce.ts";
import { canSeal } from "../link/seal.ts";
import { type Invite, roomProof, signalUrl } from "./invite.ts";
import { refuseMoreLinks } from "./limits.ts";
import { type Line, lineTo, type SignalSocket } from "./line.ts";
import type { Patience } from "./pair.ts";
import { isLinked, type Links, type Pairs, type PairView, pairsOf } from "./pairs.ts";
import {
  type FormerSeat,
  type FromRoom,
  type Join,
  type Listening,
  type Occupant,
  protocolVersion,
  RoomRefused,
  type Seat,
  ServerGone,
} from "./protocol.ts";
import { reportSender } from "./report.ts";
import { handedRuns } from "./runs-document.ts";

export interface MemberOptions {
  readonly invite: Invite;
  readonly runtime: "browser" | "node";
  /** A WebSocket to that address: to the server, and to members that listen. */
  readonly socket: (url: string) => SignalSocket;
  /** Makes this runtime's end of a data channel; left out if it has none. */
  readonly rtc?: () => RtcEnd | Promise<RtcEnd>;
  /** The seat that this member had before, with its secret. */
  readonly want?: FormerSeat;
  readonly patience?: Partial<Patience>;
  /** Called with the new `view` whenever it changes. */
  readonly onChange?: (view: MemberView) => void;
  /** The member has no seat any more: another has it, or the room has forgotten it. The runs need not end. */
  readonly onRefused?: (error: RoomRefused) => void;
}

export interface MemberView {
  readonly server: "here" | "gone";
  readonly started: boolean;
  /** The others that have seats, as far as is known, by rank. */
  readonly here: readonly Occupant[];
  /** The states of the pairs with all that this member will meet, by rank. */
  readonly pairs: ReadonlyMap<number, PairView>;
}

/** What a member needs of the lane over links: LinkTransport has it. */
export interface TellingLinks extends Links {
  tell(peer: number, text: string): boolean;
}

/** What LinkTransport needs of a member. */
export interface LaneOptions
  extends Required<Pick<LinkLaneOptions, "rank" | "size" | "spec" | "onTold" | "onLinked" | "onUnlinked">> {
  readonly timeout: number;
}

/** After so many failures in a row there is no server. */
const mostFailures = 3;

export class Member {
  readonly rank: number;
  readonly size: number;
  readonly runs: readonly RunSpec[];
  /** Milliseconds for one exchange; the same for all. */
  readonly timeout: number;
  /** Everybody that this member will ever exchange with. */
  readonly partners: readonly number[];
  readonly #options: MemberOptions;
  readonly #line: Line;
  readonly #reports: ReturnType<typeof reportSender>;
  readonly #known = new Map<number, Occupant>();
  #seat: Seat;
  #pairs: Pairs | undefined;
  /** Where it listens, once it can be linked with. */
  #listening: Listening | undefined;
  #links: TellingLinks | undefined;
  #serverGone = false;
  #started = false;
  #begun = false;
  /** Whether the server was last sent "ready"; undefined if nothing was sent yet on the current line. */
  #readySaid: boolean | undefined;
  /** Settles the promise of `connect`. */
  #settle: (failure?: Error) => void = () => {};

  /** Takes a seat. Rejects with a `RoomRefused` if there is none, and with a `ServerGone` if there is no server. */
  static join(options: MemberOptions): Promise<Member> {
    const { invite, runtime, rtc, socket } = options;
    const proof = roomProof(invite.key);
    return new Promise((resolve, reject) => {
      let member: Member | undefined;
      const fail = (error: unknown) => {
        line.close();
        reject(error);
      };
      const line = lineTo({
        open: () => socket(signalUrl(invite)),
        join: (): Join => {
          // The seat that it has, with its epoch because its links are still open; or the one that it had before.
          const want = member === undefined ? options.want : { ...member.wanted, epoch: member.#seat.epoch };
          return {
            ...{ kind: "join", version: protocolVersion, room: invite.room, proof, runtime },
            ...{ rtc: rtc !== undefined, seal: canSeal(), ...(want === undefined ? {} : { want }) },
          };
        },
        onMessage(message) {
          if (member !== undefined) member.#hear(message);
          else if (message.kind === "seat") {
            try {
              member = new Member(options, line, message);
            } catch (error) {
              return fail(error);
            }
            resolve(member);
            member.#sit(message);
          } else if (message.kind === "refused") {
            const error = new RoomRefused(message.reason);
            fail(error);
            options.onRefused?.(error);
          }
        },
        // Without a seat there is nothing to wait for.
        onLost(failures) {
          if (member === undefined) return fail(new ServerGone());
          if (failures >= mostFailures) member.#serverGone = true;
          member.#changed();
        },
      });
    });
  }

  /** Throws if the seat does not suit such a member: a server may hand out anything. */
  private constructor(options: MemberOptions, line: Line, seat: Seat) {
    const runs = handedRuns(JSON.parse(seat.runs));
    if (runs === undefined || peersOf(runs) !== seat.size) throw new RoomRefused("version");
    this.#options = options;
    this.#line = line;
    this.#seat = seat;
    this.rank = seat.rank;
    this.size = seat.size;
    this.timeout = seat.timeout;
    this.runs = runs;
    this.partners = everyPartner(runs, seat.rank);
    // An honest server has counted them already.
    if (options.runtime === "browser") refuseMoreLinks(runs, this.partners.length);
    this.#reports = reportSender(line);
  }

  /** What a member needs to come back to this seat after a reload. */
  get wanted(): FormerSeat {
    return { rank: this.rank, secret: this.#seat.secret };
  }

  get view(): MemberView {
    return {
      server: this.#serverGone ? "gone" : "here",
      started: this.#started,
      here: [...this.#known.values()].sort((a, b) => a.rank - b.rank),
      pairs: new Map(this.partners.map((rank) => [rank, this.#pairView(rank)])),
    };
  }

  /** What the lane over links is made with. */
  get lane(): LaneOptions {
    const { rank, size, timeout, runs } = this;
    return {
      ...{ rank, size, timeout, spec: specText({ runs }) },
      onTold: (peer, text) => this.#pairs?.received(peer, text),
      onLinked: (peer, kind) => this.#pairs?.linked(peer, kind),
      onUnlinked: (peer, reason) => this.#pairs?.unlinked(peer, reason),
    };
  }

  /**
   * Links this member with all that it will meet. Settles when the runs may begin: everybody is ready, or the server is
   * gone and this member has its links, or the runs began before it came. A peer that is not linked then is missed at once.
   * `listening` says where this member itself can be dialled.
   */
  async connect(links: TellingLinks, listening: Listening = {}): Promise<void> {
    const { rank, size, epoch } = this.#seat;
    const { invite, socket, rtc, runtime, patience } = this.#options;
    this.#links = links;
    this.#pairs = pairsOf({
      self: { rank, epoch, runtime, rtc: rtc !== undefined, seal: canSeal(), listening },
      ...{ size, runs: this.runs, key: invite.key, links, line: this.#line, socket, rtc, patience },
      spec: specHash(this.lane.spec),
      onChange: () => this.#changed(),
    });
    await new Promise<void>((done, fail) => {
      this.#settle = (failure) => (failure === undefined ? done() : fail(failure));
      this.#listening = listening;
      // The others must know this member before it speaks to them.
      this.#announce();
      for (const occupant of this.#known.values()) this.#meet(occupant);
      this.#changed();
    });
  }

  /** Reports an event to the server; nothing waits for it, and it is dropped if the server is gone. */
  report(event: PeerEvent): void {
    this.#reports.send(event);
  }

  /** Gives up the seat, once the reports are sent (or five seconds have gone by), and ends all that was begun. */
  async leave(): Promise<void> {
    await this.#reports.left(() => this.#serverGone);
    this.#line.send({ kind: "leave" });
    this.close();
  }

  /** Ends all that was begun, and keeps the seat for a while. */
  close(): void {
    this.#pairs?.close();
    this.#line.close();
  }

  #hear(message: FromRoom): void {
    switch (message.kind) {
      case "seat":
        this.#sit(message);
        break;
      case "here":
        this.#meet(message.occupant);
        break;
      case "gone":
        if (this.#known.get(message.rank)?.epoch === message.epoch) this.#known.delete(message.rank);
        this.#pairs?.gone(message.rank, message.epoch);
        this.#changed();
        break;
      case "signal":
        this.#pairs?.signalled(message.from, message.epoch, message.text);
        break;
      case "start":
        this.#started = true;
        this.#changed();
        break;
      case "refused": {
        const error = new RoomRefused(message.reason);
        this.#line.close();
        this.#settle(error);
        this.#serverGone = true;
        this.#options.onRefused?.(error);
        this.#changed();
      }
    }
  }

  /** The first seat, or the same one on a new line. */
  #sit(seat: Seat): void {
    if (seat.rank !== this.#seat.rank || seat.epoch !== this.#seat.epoch) {
      // The server forgot this member and gave it another seat, but its links belong to the old one.
      this.#hear({ kind: "refused", reason: "taken" });
      return;
    }
    this.#seat = seat;
    this.#serverGone = false;
    this.#started ||= seat.started;
    for (const occupant of seat.here) this.#meet(occupant);
    this.#announce();
    this.#readySaid = undefined;
    this.#reports.flush();
    this.#changed();
  }

  /** Lets the others know; again on each new line, since the announcement may have been dropped with the old one. */
  #announce(): void {
    if (this.#listening !== undefined) this.#line.send({ kind: "announce", listening: this.#listening });
  }

  #meet(occupant: Occupant): void {
    if (occupant.rank === this.rank || occupant.rank >= this.size) return;
    this.#known.set(occupant.rank, occupant);
    if (this.partners.includes(occupant.rank)) this.#pairs?.here(occupant);
    this.#changed();
  }

  #pairView(rank: number): PairView {
    return this.#pairs?.view(rank) ?? "absent";
  }

  #changed(): void {
    if (this.#pairs !== undefined && !this.#begun) this.#look();
    this.#options.onChange?.(this.view);
  }

  /** Whether the runs may begin. */
  #look(): void {
    const missing = this.partners.filter((rank) => !isLinked(this.#pairView(rank)) && this.#pairView(rank) !== "tcp");
    // Reported again after each change: a member whose link broke must not count as ready.
    const ready = missing.length === 0;
    if (ready !== this.#readySaid && this.#line.send({ kind: ready ? "ready" : "waiting" })) this.#readySaid = ready;
    const nobody = this.#serverGone && !this.#started && missing.some((rank) => !this.#known.has(rank));
    const hopeless = missing.every((rank) => ["failed", "absent"].includes(this.#pairView(rank)));
    if (!nobody && !((this.#started || this.#serverGone) && hopeless)) return;
    this.#begun = true;
    if (!nobody) for (const rank of missing) this.#links?.detach(rank);
    this.#settle(nobody ? new ServerGone() : undefined);
  }
}
