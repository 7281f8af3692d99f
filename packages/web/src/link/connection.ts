/**
 * A WebRTC connection while it is made: offer, answer and candidates go to and fro as texts that somebody else carries (a
 * server, or a peer that both are linked with), until the two ends see each other. A browser and Node differ in five
 * calls (`RtcEngine`); what is said in which order is here, once.
 *
 *   { "offer": sdp }   dialler  -> listener          { "candidate": ... }   both ways, any time after the sender's description
 *   { "answer": sdp }  listener -> dialler
 *
 * The dialler says its addresses only once the answer is in force: node-datachannel refuses a certificate that arrives
 * before the description which vouches for it, and over a quick network the handshake is there before the answer.
 *
 * The channel is agreed on beforehand (negotiated, id 0, ordered), so both make it before anything is said.
 */

import type { Role } from "equitopo/peer";
import { type Fingerprints, fingerprintOf } from "./binding.ts";
import { type Link, LinkRefused } from "./link.ts";

/** What a runtime must be able to do. */
export interface RtcEngine {
  /** Makes this side's description and puts it into force: its SDP. */
  describe(kind: "offer" | "answer"): Promise<string>;
  /** Puts the other side's into force. */
  accept(kind: "offer" | "answer", sdp: string): Promise<void>;
  /** Adds one of the other side's addresses, as its engine has said it. */
  add(candidate: unknown): Promise<void>;
  /** Set before anything is called: hears this side's addresses, and the end of a connection that was open. */
  listen(listener: { candidate(candidate: unknown): void; lost(): void }): void;
  close(): void;
}

/** A runtime's end of a data channel: the calls that make the connection, and the link over it once it is open. */
export interface RtcEnd {
  readonly engine: RtcEngine;
  readonly link: Promise<Link>;
}

export interface ConnectionOptions {
  readonly engine: RtcEngine;
  readonly role: Role;
  /** Brings a text to the other side. */
  readonly send: (signal: string) => void;
  /** The connection is gone, though its channel may never say so (a killed browser); close the link. */
  readonly onLost?: () => void;
}

/** One connection from the first text to its end. The clock for its opening is that of the channel (openChannel). */
export class Connection {
  readonly #options: ConnectionOptions;
  /** This side's description, once it is in force. */
  #own = "";
  /** Whether the other side's is. */
  #accepted = false;
  #known: (fingerprints: Fingerprints) => void = () => {};
  #unknown: (reason: LinkRefused) => void = () => {};
  /** Candidates that came before the description they belong to, and the dialler's own until the answer is in force. */
  readonly #early: unknown[] = [];
  #held: unknown[] | undefined;
  /** Signals are taken one after the other: each call of an engine must end before the next. */
  #queue: Promise<void> = Promise.resolve();
  #closed = false;
  /** Of both descriptions, for the introduction; rejects where the connection comes to nothing before. */
  readonly fingerprints: Promise<Fingerprints>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.fingerprints = new Promise((resolve, reject) => {
      this.#known = resolve;
      this.#unknown = reject;
    });
    // Whoever awaits it handles the rejection; else it is ignored.
    this.fingerprints.catch(() => {});
    const { engine, role, send } = options;
    if (role === "dialler") this.#held = [];
    engine.listen({
      candidate: (candidate) => {
        if (this.#held !== undefined) this.#held.push(candidate);
        else if (!this.#closed) send(JSON.stringify({ candidate }));
      },
      lost: () => {
        if (this.#closed) return;
        this.close();
        options.onLost?.();
      },
    });
    if (role === "dialler") this.#then(() => this.#describe("offer"));
  }

  /** A text from the other side. Anything that is not the next thing it could say ends the connection. */
  signal(text: string): void {
    this.#then(() => this.#take(text));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unknown(new LinkRefused("closed"));
    this.#options.engine.close();
  }

  #then(run: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#closed) return;
      try {
        await run();
      } catch (error) {
        this.#unknown(error instanceof LinkRefused ? error : new LinkRefused("signal"));
        this.close();
      }
    });
  }

  async #take(text: string): Promise<void> {
    const { engine, role } = this.#options;
    const signal: unknown = JSON.parse(text);
    if (typeof signal !== "object" || signal === null) throw new LinkRefused("signal");
    if ("candidate" in signal) {
      if (this.#accepted) await this.#add(signal.candidate);
      else if (this.#early.push(signal.candidate) > 256) throw new LinkRefused("signal");
      return;
    }
    const kind = role === "dialler" ? "answer" : "offer";
    const sdp: unknown = (signal as Record<string, unknown>)[kind];
    if (typeof sdp !== "string" || this.#accepted) throw new LinkRefused("signal");
    await engine.accept(kind, sdp);
    this.#accepted = true;
    for (const candidate of this.#early.splice(0)) await this.#add(candidate);
    for (const candidate of this.#held ?? []) this.#options.send(JSON.stringify({ candidate }));
    this.#held = undefined;
    if (role === "listener") await this.#describe("answer");
    const [mine, theirs] = [fingerprintOf(this.#own), fingerprintOf(sdp)];
    const [dialler, listener] = role === "dialler" ? [mine, theirs] : [theirs, mine];
    this.#known({ dialler, listener });
  }

  /** One bad address is no reason to give up: there may be better ones, and the clock decides. */
  async #add(candidate: unknown): Promise<void> {
    await this.#options.engine.add(candidate).catch(() => {});
  }

  async #describe(kind: "offer" | "answer"): Promise<void> {
    this.#own = await this.#options.engine.describe(kind);
    if (!this.#closed) this.#options.send(JSON.stringify({ [kind]: this.#own }));
  }
}
