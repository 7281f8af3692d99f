/**
 * A membership on a lane: the agent gives it the time, messages and ticks of the lane, sends its messages, and first saves what
 * it must remember. While that cannot be saved (a full disk) nothing is sent: to the others such a peer is silent, not wrong.
 */

import { InputError } from "../../input/input.ts";
import { decodeCheckpoint, encodeCheckpoint, type Json } from "../../run/checkpoint.ts";
import type { Store } from "../course/checkpoint.ts";
import type { Lane } from "../exchange/lane.ts";
import { hubOn } from "./hub.ts";
import { createMembership, type Effect, type MembershipOptions, type Memory } from "./membership.ts";
import { decodeMessage, encodeMessage } from "./message.ts";
import { decodeHanded, type Handed } from "./transfer.ts";

export interface AgentOptions extends Omit<MembershipOptions, "memory"> {
  readonly lane: Lane;
  /** Keeps what must be remembered; without it a peer that is started again is a newcomer. */
  readonly store?: Store | undefined;
  /** The text that all peers agree on: a memory of another run is refused. */
  readonly spec: string;
  readonly onTrouble?: ((text: string) => void) | undefined;
  readonly d: number;
}

export type Agent = Awaited<ReturnType<typeof startAgent>>;

export async function startAgent(options: AgentOptions) {
  const { lane, seat, seats, spec, store, d, patience, onTrouble } = options;
  const now = () => lane.now();
  const membership = createMembership({ ...options, memory: await loadMemory(options) }, now());
  /** Seats that have asked for models, and the last models that came. */
  const wants = new Set<number>();
  let models: Handed | undefined;
  const listeners: (() => void)[] = [];
  let unsaved: Memory | undefined;
  let silenced = false;
  let pumping = Promise.resolve();
  let cancel = () => {};
  let closed = false;
  let ended: Error | undefined;

  const hub = hubOn(lane, {
    message(from, bytes) {
      if (closed) return;
      const message = decodeMessage(bytes);
      if (message === undefined) {
        hub.refuse("message");
        return;
      }
      if (message.say === "want") wants.add(from);
      membership.receive(from, message, now());
      changed();
    },
    state(bytes) {
      try {
        models = decodeHanded(bytes, d);
      } catch {
        hub.refuse("state");
      }
      changed();
    },
    isAway: (epoch, other) => membership.isAway(epoch, other, now()),
    heard: (other) => membership.heard(other, now()),
    gone: (other) => membership.gone(other, now()),
    end(reason) {
      ended = reason;
      changed();
    },
  });

  function tick(): void {
    if (closed) return;
    membership.tick(now());
    hub.miss();
    cancel = lane.after(patience.beat / 2, tick);
    changed();
  }

  function changed(): void {
    pump(membership.drain());
    for (const listener of listeners.splice(0)) listener();
  }

  function pump(effects: readonly Effect[]): void {
    if (store === undefined) {
      effects.forEach(send);
      return;
    }
    if (effects.length === 0) return;
    pumping = pumping.then(async () => {
      for (const effect of effects) if (effect.kind === "save") unsaved = effect.memory;
      // The last memory holds all that was decided before it, so it may be kept before any of the messages.
      if (unsaved === undefined || (await keep(store, unsaved))) effects.forEach(send);
    });
  }

  function send(effect: Effect): void {
    if (effect.kind === "send" && !closed) hub.say(effect.to, encodeMessage(effect.message));
  }

  async function keep(kept: Store, memory: Memory): Promise<boolean> {
    const header = { spec, seat, memory } as unknown as Json;
    try {
      await kept.save(encodeCheckpoint({ kind: "membership", header, vectors: {} }));
      unsaved = undefined;
      silenced = false;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!silenced) onTrouble?.(`votes cannot be kept (${why}): silent about members until they can`);
      silenced = true;
    }
    return !silenced;
  }

  lane.prepare?.(Array.from({ length: seats }, (_, other) => other).filter((other) => other !== seat));
  tick();
  return {
    membership,
    hub,
    now,
    wants,
    get models(): Handed | undefined {
      return models;
    },

    /** Waits until something has happened: a message, a tick. Rejects if this peer no longer has a place in the network. */
    async change(): Promise<void> {
      await new Promise<void>((resolve) => {
        listeners.push(resolve);
      });
      if (ended !== undefined) throw ended;
    },

    /** Sends at once what a call from outside has changed. */
    flush(): void {
      membership.tick(now());
      changed();
    },

    /** Nothing is sent or heard from now on. */
    async close(): Promise<void> {
      closed = true;
      cancel();
      await pumping;
      changed();
    },
  };
}

async function loadMemory({ store, spec, seat }: AgentOptions): Promise<Memory | undefined> {
  const bytes = (await store?.load())?.[0];
  if (store === undefined || bytes === undefined) return undefined;
  const { header } = decodeCheckpoint(bytes, "membership", store.name);
  const kept = header as unknown as { spec: string; seat: number; memory: Memory };
  if (kept.spec === spec && kept.seat === seat) return kept.memory;
  const other = kept.spec === spec ? `seat ${kept.seat}` : "another spec";
  const rule = `${store.name} must be the memory of seat ${seat} in this run`;
  throw new InputError(rule, other, "remove it to join as a newcomer");
}
