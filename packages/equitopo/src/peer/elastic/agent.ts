/**
 * A membership in the world: it is given the lane's time, messages and ticks, what it says is sent, and what it must remember
 * is kept first. While that cannot be kept (a full disk) nothing is sent: to the others such a peer is silent, not wrong.
 */

import { InputError } from "../../input/input.ts";
import { decodeCheckpoint, encodeCheckpoint, type Json } from "../../run/checkpoint.ts";
import type { Store } from "../checkpoint.ts";
import type { Lane } from "../lane.ts";
import { Hub } from "./hub.ts";
import { type Effect, Membership, type MembershipOptions, type Memory } from "./membership.ts";
import { decodeMessage, encodeMessage } from "./message.ts";

export interface AgentOptions extends Omit<MembershipOptions, "memory"> {
  readonly lane: Lane;
  /** Keeps what must be remembered; without one a peer that is started again is somebody new. */
  readonly store?: Store | undefined;
  /** What all agree on: a memory of another run is refused. */
  readonly spec: string;
  readonly onTrouble?: ((text: string) => void) | undefined;
  /** A member asks for models; models have come. */
  readonly onWant: (seat: number) => void;
  readonly onState: (seat: number, bytes: Uint8Array) => void;
}

export class Agent {
  readonly membership: Membership;
  readonly hub: Hub;
  readonly #options: AgentOptions;
  #listeners: (() => void)[] = [];
  #unsaved: Memory | undefined;
  #silenced = false;
  #pumping = Promise.resolve();
  #cancel: () => void = () => {};
  #closed = false;
  #ended: Error | undefined;

  private constructor(options: AgentOptions, memory: Memory | undefined) {
    this.#options = options;
    const { lane } = options;
    this.membership = new Membership({ ...options, memory }, lane.now());
    this.hub = new Hub(lane, {
      onMessage: (seat, bytes) => this.#hear(seat, bytes),
      onState: (seat, bytes) => {
        options.onState(seat, bytes);
        this.#changed();
      },
      onHeard: (seat) => this.membership.heard(seat, lane.now()),
      onGone: (seat) => this.membership.gone(seat, lane.now()),
      onEnd: (reason) => {
        this.#ended = reason;
        this.#changed();
      },
    });
  }

  static async start(options: AgentOptions): Promise<Agent> {
    const agent = new Agent(options, await remembered(options));
    options.lane.prepare?.(
      Array.from({ length: options.seats }, (_, seat) => seat).filter((seat) => seat !== options.seat),
    );
    agent.#tick();
    return agent;
  }

  now(): number {
    return this.#options.lane.now();
  }

  /** Until something has happened: a message, a tick. Rejects where this peer has no place in the network any more. */
  async change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#listeners.push(resolve);
    });
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Says at once what has just changed by a call from outside. */
  flush(): void {
    this.membership.tick(this.now());
    this.#changed();
  }

  /** Nothing is sent or heard from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#pumping;
    this.#changed();
  }

  #hear(seat: number, bytes: Uint8Array): void {
    if (this.#closed) return;
    const message = decodeMessage(bytes);
    if (message === undefined) {
      this.hub.refuse("message");
      return;
    }
    if (message.say === "want") this.#options.onWant(seat);
    this.membership.receive(seat, message, this.now());
    this.#changed();
  }

  #tick(): void {
    if (this.#closed) return;
    const { membership } = this;
    membership.tick(this.now());
    this.hub.miss(membership.missed(this.now()));
    this.#cancel = this.#options.lane.after(this.#options.patience.beat / 2, () => this.#tick());
    this.#changed();
  }

  #changed(): void {
    this.#pump(this.membership.drain());
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  #pump(effects: readonly Effect[]): void {
    if (effects.length === 0) return;
    if (this.#options.store === undefined) {
      for (const effect of effects) this.#send(effect);
      return;
    }
    this.#pumping = this.#pumping.then(async () => {
      for (const effect of effects) if (effect.kind === "save") this.#unsaved = effect.memory;
      // The last memory holds all that was decided before it, so it may be kept before any of the messages.
      if (await this.#keep()) for (const effect of effects) this.#send(effect);
    });
  }

  #send(effect: Effect): void {
    if (effect.kind === "send" && !this.#closed) this.hub.say(effect.to, encodeMessage(effect.message));
  }

  async #keep(): Promise<boolean> {
    const memory = this.#unsaved;
    if (memory === undefined) return true;
    const header = { spec: this.#options.spec, seat: this.#options.seat, memory } as unknown as Json;
    try {
      await this.#options.store?.save(encodeCheckpoint({ kind: "membership", header, vectors: {} }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!this.#silenced)
        this.#options.onTrouble?.(`votes cannot be kept (${why}): silent about members until they can`);
      this.#silenced = true;
      return false;
    }
    this.#silenced = false;
    this.#unsaved = undefined;
    return true;
  }
}

/** What an earlier start of this peer has kept. A damaged one is passed over for the one before only where there is none newer. */
async function remembered({ store, spec, seat }: AgentOptions): Promise<Memory | undefined> {
  const bytes = (await store?.load())?.[0];
  if (store === undefined || bytes === undefined) return undefined;
  const { header } = decodeCheckpoint(bytes, "membership", store.name);
  const kept = header as unknown as { spec: string; seat: number; memory: Memory };
  if (kept.spec === spec && kept.seat === seat) return kept.memory;
  const other = kept.spec === spec ? `seat ${kept.seat}` : "another spec";
  throw new InputError(
    `${store.name} must be what seat ${seat} of this run remembers`,
    other,
    "remove it to come as a newcomer",
  );
}
