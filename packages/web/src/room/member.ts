/**
 * A peer's side of a room, for browsers and for Node: it is handed what a runtime makes sockets and data channels with.
 *
 *     const member = await Member.join({ invite, ... });             a seat, and the runs
 *     const transport = new LinkTransport({ ...member.lane });
 *     await member.connect(transport);                                links to all that it will ever meet
 *     await reportingPeer({ transport, runs: member.runs, ... }, (event) => member.report(event));
 *     await member.leave();
 *
 * Before the first round every pair that will ever meet is linked, and the server says when all are ready. From then on the
 * server is not needed: links that break are made again by texts that go over other links, through a member that both are
 * linked with. Without a server nobody gets a seat any more, and pairs that were relayed count as missed.
 */

import type { RunSpec } from "equitopo";
import { everyPartner, type PeerEvent, peersOf, specText } from "equitopo/peer";
import { specHash } from "../link/introduce.ts";
import type { Link, LinkKind, LinkListener } from "../link/link.ts";
import { Relay } from "../link/relay-link.ts";
import { canSeal } from "../link/sealed-link.ts";
import { handedRuns } from "./handed-runs.ts";
import { type Invite, roomProof, signalUrl } from "./invite.ts";
import { refuseMoreLinks } from "./limits.ts";
import { Line, type SignalSocket } from "./line.ts";
import type { RtcEnd } from "./opening.ts";
import type { Patience } from "./pair.ts";
import { type Links, Pairs, type PairView } from "./pairs.ts";
import { Post } from "./post.ts";
import {
  type FromRoom,
  type Join,
  type Listening,
  type Occupant,
  protocolVersion,
  type Seat,
  type Wanted,
} from "./protocol.ts";
import { RoomRefused, ServerGone } from "./refused.ts";
import { relayAddress } from "./relay.ts";
import { Routes } from "./routes.ts";

export interface MemberOptions {
  readonly invite: Invite;
  readonly runtime: "browser" | "node";
  /** A WebSocket to that address: to the server, and to members that listen. */
  readonly socket: (url: string) => SignalSocket;
  /** This runtime's end of a data channel; left out where there are none. */
  readonly rtc?: () => RtcEnd | Promise<RtcEnd>;
  /** The seat that it had before, with its secret. */
  readonly want?: Wanted;
  readonly patience?: Partial<Patience>;
  /** Told of everything that `view` shows. */
  readonly onChange?: (view: MemberView) => void;
  /** Its seat is lost: somebody else sits there, or the room does not know it any more. The runs need not end. */
  readonly onRefused?: (error: RoomRefused) => void;
}

export interface MemberView {
  readonly server: "here" | "gone";
  readonly started: boolean;
  /** Others that are in their seats, as far as is known, by rank. */
  readonly here: readonly Occupant[];
  /** How the pairs stand that this member will meet, by rank. */
  readonly pairs: ReadonlyMap<number, PairView>;
}

/** What a member needs of the lane over links: LinkTransport has it. */
export interface TellingLinks extends Links {
  tell(peer: number, text: string): boolean;
}

/** What LinkTransport needs of a member. */
export interface LaneOptions {
  readonly rank: number;
  readonly size: number;
  readonly spec: string;
  readonly timeout: number;
  readonly onTold: (peer: number, text: string) => void;
  readonly onLinked: (peer: number, kind: LinkKind) => void;
  readonly onUnlinked: (peer: number, reason: string) => void;
}

const deaf: LinkListener = { message: () => {}, drained: () => {}, closed: () => {} };

/** Lines that fail so often in a row mean that there is no server. */
const mostFailures = 3;

export class Member {
  readonly #options: MemberOptions;
  readonly #line: Line;
  readonly #post: Post;
  readonly #known = new Map<number, Occupant>();
  #seat: Seat | undefined;
  #runs: readonly RunSpec[] = [];
  #partners: readonly number[] = [];
  #pairs: Pairs | undefined;
  #routes: Routes | undefined;
  /** Where it listens, once it can be linked with. */
  #listening: Listening | undefined;
  #links: TellingLinks | undefined;
  /** The half of the line that relayed messages go over, and the relay once it is needed. */
  #carrier: Link | undefined;
  #relay: Relay | undefined;
  #serverGone = false;
  #started = false;
  #begun = false;
  /** What the server was told; undefined where a new line to it has said nothing yet. */
  #readySaid: boolean | undefined;
  #settle: { seated(): void; begin(): void; fail(error: Error): void } = {
    seated: () => {},
    begin: () => {},
    fail: () => {},
  };

  /** Takes a seat. Rejects with a `RoomRefused` where there is none, and a `ServerGone` where there is no server. */
  static async join(options: MemberOptions): Promise<Member> {
    const proof = roomProof(options.invite.key);
    return new Promise((resolve, reject) => {
      const member: Member = new Member(
        options,
        proof,
        () => resolve(member),
        (error) => {
          member.#line.close();
          reject(error);
        },
      );
    });
  }

  private constructor(options: MemberOptions, proof: string, seated: () => void, fail: (error: Error) => void) {
    this.#options = options;
    this.#settle = { seated, begin: () => {}, fail };
    const { invite, runtime, rtc, socket } = options;
    this.#line = new Line({
      open: () => socket(signalUrl(invite)),
      join: (): Join => ({
        ...{ kind: "join", version: protocolVersion, room: invite.room, proof, runtime },
        ...{ rtc: rtc !== undefined, seal: canSeal() },
        ...this.#wanted(),
      }),
      onMessage: (message) => this.#hear(message),
      onOpen: (carrier) => {
        this.#serverGone = false;
        this.#relay = undefined;
        this.#carrier = carrier;
        // Until a pair asks for the relay, what comes through it is nobody's, and must not fill the line.
        carrier.listen(deaf);
      },
      onLost: (failures) => this.#lost(failures),
    });
    this.#post = new Post(this.#line);
  }

  /** The seat that it had, or has: with its epoch where its links still stand. */
  #wanted(): { want?: Wanted } {
    if (this.#seat !== undefined) {
      const { rank, secret, epoch } = this.#seat;
      return { want: { rank, secret, epoch } };
    }
    return this.#options.want === undefined ? {} : { want: this.#options.want };
  }

  #occupied(): Seat {
    if (this.#seat === undefined) throw new Error("a member has its seat before anything else");
    return this.#seat;
  }

  get rank(): number {
    return this.#occupied().rank;
  }

  get size(): number {
    return this.#occupied().size;
  }

  /** To come back to this seat with, after a reload. */
  get wanted(): Wanted {
    const { rank, secret } = this.#occupied();
    return { rank, secret };
  }

  get runs(): readonly RunSpec[] {
    return this.#runs;
  }

  /** Milliseconds for one exchange; the same for all. */
  get timeout(): number {
    return this.#occupied().timeout;
  }

  /** Everybody that this member will ever exchange with. */
  get partners(): readonly number[] {
    return this.#partners;
  }

  get view(): MemberView {
    return {
      server: this.#serverGone ? "gone" : "here",
      started: this.#started,
      here: [...this.#known.values()].sort((a, b) => a.rank - b.rank),
      pairs: new Map(this.#partners.map((rank) => [rank, this.#pairs?.view(rank) ?? "absent"])),
    };
  }

  /** What the lane over links is made with. */
  get lane(): LaneOptions {
    const { rank, size, timeout } = this.#occupied();
    return {
      ...{ rank, size, timeout, spec: specText({ runs: this.#runs }) },
      onTold: (peer, text) => this.#routes?.told(peer, text),
      onLinked: (peer, kind) => this.#pairs?.linked(peer, kind),
      onUnlinked: (peer, reason) => this.#pairs?.unlinked(peer, reason),
    };
  }

  /**
   * Links this member with all that it will meet. Settles when the runs may begin: everybody is ready, or the server is
   * gone and this member has its links, or the runs began before it came. Whoever cannot be linked then is missed at once.
   * `listening` says where this member itself can be dialled.
   */
  async connect(links: TellingLinks, listening: Listening = {}): Promise<void> {
    const { rank, size, epoch } = this.#occupied();
    const { invite, socket, rtc, runtime, patience } = this.#options;
    this.#links = links;
    const routes = new Routes({
      ...{ self: { rank, epoch }, size, runs: this.#runs, line: this.#line },
      isLinked: (peer) => this.#isLinked(peer),
      tell: (peer, text) => links.tell(peer, text),
      heard: (peer, since, text) => this.#pairs?.heard(peer, since, text),
    });
    this.#routes = routes;
    this.#pairs = new Pairs({
      self: { rank, epoch, runtime, rtc: rtc !== undefined, seal: canSeal(), listening },
      ...{ size, key: invite.key, links, socket, rtc, patience },
      spec: specHash(this.lane.spec),
      relay: () => this.#relayNow(),
      say: (to, text, linkedBefore) => routes.say(to, text, linkedBefore),
      onChange: () => this.#changed(),
    });
    await new Promise<void>((resolve, reject) => {
      this.#settle = { seated: () => {}, begin: resolve, fail: reject };
      this.#listening = listening;
      // The others must know this member before it speaks to them.
      this.#announce();
      for (const occupant of this.#known.values()) this.#meet(occupant);
      this.#changed();
    });
  }

  /** What this member has to tell; nothing waits for it, and a server that is gone hears nothing. */
  report(event: PeerEvent): void {
    this.#post.send(event);
  }

  /** Gives the seat up, once what was reported has left (or five seconds have gone by), and ends all that was begun. */
  async leave(): Promise<void> {
    await this.#post.left(() => this.#serverGone);
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
        this.#routes?.signalled(message.from, message.epoch, message.text);
        break;
      case "start":
        this.#started = true;
        this.#changed();
        break;
      case "refused": {
        const error = new RoomRefused(message.reason);
        this.#line.close();
        this.#settle.fail(error);
        this.#serverGone = true;
        this.#options.onRefused?.(error);
        this.#changed();
      }
    }
  }

  #sit(seat: Seat): void {
    const before = this.#seat;
    if (before !== undefined && (seat.rank !== before.rank || seat.epoch !== before.epoch)) {
      // The server forgot us and gave us another place: our links are those of the old one.
      this.#hear({ kind: "refused", reason: "taken" });
      return;
    }
    this.#seat = seat;
    this.#started ||= seat.started;
    if (before === undefined && !this.#read(seat)) return;
    for (const occupant of seat.here) this.#meet(occupant);
    this.#settle.seated();
    this.#announce();
    this.#readySaid = undefined;
    this.#post.flush();
    this.#changed();
  }

  /** Lets the others know; again after a line was lost, for they may not have been told. */
  #announce(): void {
    if (this.#listening !== undefined) this.#line.send({ kind: "announce", listening: this.#listening });
  }

  /** What the seat is for; a server may hand out anything. */
  #read({ rank, size, runs: text }: Seat): boolean {
    try {
      const runs = handedRuns(JSON.parse(text));
      if (runs === undefined || peersOf(runs) !== size) throw new RoomRefused("version");
      this.#runs = runs;
      this.#partners = everyPartner(runs, rank);
      // The server has counted them, if it is an honest one.
      if (this.#options.runtime === "browser") refuseMoreLinks(runs, this.#partners.length);
      return true;
    } catch (error) {
      this.#settle.fail(error as Error);
      return false;
    }
  }

  #meet(occupant: Occupant): void {
    // A server may say so before it has given a seat.
    if (this.#seat === undefined || occupant.rank === this.#seat.rank || occupant.rank >= this.#seat.size) return;
    this.#known.set(occupant.rank, occupant);
    if (this.#partners.includes(occupant.rank)) this.#pairs?.here(occupant);
    this.#changed();
  }

  #lost(failures: number): void {
    this.#relay = undefined;
    if (this.#seat === undefined) {
      // Who has no seat yet is told at once.
      this.#settle.fail(new ServerGone());
      return;
    }
    if (failures >= mostFailures) this.#serverGone = true;
    this.#changed();
  }

  #relayNow(): Relay | undefined {
    if (!this.#line.open || this.#carrier === undefined || this.#seat === undefined) return undefined;
    this.#relay ??= new Relay(this.#carrier, relayAddress(this.#seat));
    return this.#relay;
  }

  #isLinked(rank: number): boolean {
    const view = this.#pairs?.view(rank);
    return view === "rtc" || view === "websocket" || view === "port" || view === "relay";
  }

  /** Looks whether the runs may begin. */
  #changed(): void {
    if (this.#pairs !== undefined && !this.#begun) this.#look();
    if (this.#seat !== undefined) this.#options.onChange?.(this.view);
  }

  #look(): void {
    const missing = this.#partners.filter((rank) => !this.#isLinked(rank) && this.#pairs?.view(rank) !== "tcp");
    // Two that each lost the other's link once must not both count as ready.
    const ready = missing.length === 0;
    if (ready !== this.#readySaid && this.#line.send({ kind: ready ? "ready" : "waiting" })) this.#readySaid = ready;
    const hopeless = (rank: number) => ["failed", "absent"].includes(this.#pairs?.view(rank) ?? "absent");
    if (this.#serverGone && !this.#started && missing.some((rank) => !this.#known.has(rank))) {
      this.#begun = true;
      this.#settle.fail(new ServerGone());
      return;
    }
    if (!(this.#started || this.#serverGone) || !missing.every(hopeless)) return;
    this.#begun = true;
    for (const rank of missing) this.#links?.detach(rank);
    this.#settle.begin();
  }
}
