/**
 * Letters between MPI ranks. A letter is a message of its own tag: a header as on any stream (frame.ts in equitopo/peer:
 * kind, round, sequence, sender, and a hash of the spec and of the run), with the vector behind it where it is small; a large
 * one follows under a second tag, straight from its memory into the receiver's. MPI keeps the order of messages of one tag,
 * so the k-th large vector belongs to the k-th header that announces one. The memory for one that is expected is offered to MPI
 * before its header has come, so that it arrives at once, without a turn through JavaScript. Rank, size, hosts and interconnects are MPI's
 * business, and it vouches for who sent what.
 *
 * A lane reads only from the peers that it waits for, because a thread that waits for nothing costs nothing. From such a
 * peer it reads all that has come, even of later rounds (inbound.ts), so that a rank that fell behind notices it. Large vectors
 * wait at their senders until their round comes; if it is over, they are received and dropped. A rank that cannot send one,
 * because too many before it are unfinished, sends a "no" in its place: the receiver gets nothing from it in that round.
 */

import { sha256Bytes } from "equitopo/internal/number";
import type {
  Ears,
  ElementType,
  ExchangeOptions,
  Header,
  Incoming,
  Lane,
  Letter,
  Vector,
} from "equitopo/internal/peer";
import { bytesOf, elementBytes, encodeHeader, headerBytes, runtimeClock, Spare, typeOf } from "equitopo/internal/peer";
import { ends, kinds, loadAddon, MpiError, together } from "./addon.ts";
import { Inbound, inlineBytes, type Offer, readHeader } from "./inbound.ts";

export interface MpiLaneOptions {
  /** The library to load, where the usual names do not find it. */
  readonly library?: string;
  /** What all peers must agree on: any text. Peers of another are refused. */
  readonly spec?: string;
  /** Distinguishes this run from others of the same spec: any text that all its peers know. Default: the job's name in MPI. */
  readonly run?: string;
  /** Called once for each peer that is refused, with a line that says why. Default: writes the line to standard error. */
  readonly log?: (line: string) => void;
}

export type Position = Pick<ExchangeOptions, "rank" | "size">;

const placeBytes = headerBytes + inlineBytes;
/** Large vectors on their way to one peer; the next is dropped. */
const unfinishedLimit = 8;
const tags = { letter: 0, payload: 1, host: 2 } as const;
/** The longest name of a machine; longer ones are cut. */
const hostBytes = 256;

interface Posted {
  /** Must stay alive until MPI is done with it. */
  readonly memory: Vector;
  readonly done: (code: number, bytes: number) => void;
}

export type MpiLane = ReturnType<typeof mpiLane>;

export function mpiLane(options: MpiLaneOptions) {
  const { addon, library } = loadAddon(options.library);
  const posted = new Map<number, Posted>();
  /** Requests that are handed over together: kind, peer, tag, and memory. */
  let numbers: number[] = [];
  let memories: Vector[] = [];
  let firstId = 0;
  /** What each peer has sent; the peers that are no longer listened to; those that the current exchange waits for. */
  let inbounds: Inbound[] = [];
  const deaf = new Set<number>();
  let expected: number[] = [];
  let current = 0;
  let overhearing = false;
  const unfinished = new Map<number, number>();
  const spare = new Spare();
  /** Memory for letters that nothing is being received into. */
  const letters: Uint8Array[] = [];
  let { rank, size }: Position = { rank: -1, size: 0 };
  let closed = false;
  let ears: Ears | undefined;
  let placed: (code: number, place: Position) => void = () => {};
  let finish: () => void = () => {};
  /** The hash that every header must carry, and how often the network has shrunk, which is part of it. */
  let shrunk = 0;
  let spec = digest();

  function digest(): Uint8Array {
    const { spec: text = "", run = process.env["PMIX_NAMESPACE"] ?? process.env["PMI_JOBID"] ?? "" } = options;
    return sha256Bytes(new TextEncoder().encode(JSON.stringify([text, run, shrunk])));
  }

  function settle(what: string, run: () => void): Promise<Position> {
    return new Promise((resolve, reject) => {
      placed = (code, place) => {
        if (code !== 0) reject(new MpiError(`${what} failed: ${addon.errorText(code)}`));
        ({ rank, size } = place);
        inbounds = Array.from({ length: Math.max(0, size) }, () => new Inbound());
        resolve(place);
      };
      run();
    });
  }

  function onEnds(list: Int32Array): void {
    for (let k = 0; k < list.length; k += 3) {
      const [id, code, value] = list.subarray(k, k + 3);
      if (id >= 0) {
        const ended = posted.get(id);
        posted.delete(id);
        ended?.done(code, value);
      } else if (id === ends.stopped) finish();
      else {
        placed(code, { rank: value, size: list[k + 5] });
        k += 3;
      }
    }
    flush();
  }

  /** Receives the next letter of a peer, if it is not being received already. */
  function listen(peer: number): void {
    const inbound = inbounds[peer];
    if (inbound.reading || inbound.full || deaf.has(peer) || peer === rank) return;
    inbound.reading = true;
    const memory = letters.pop() ?? new Uint8Array(together * (4 + placeBytes));
    post(kinds.letters, peer, tags.letter, memory, (code, count) => {
      if (inbounds[peer] === inbound) read(peer, inbound, memory, code, count);
      letters.push(memory);
    });
  }

  function read(peer: number, inbound: Inbound, memory: Uint8Array, code: number, count: number): void {
    inbound.reading = false;
    if (code !== 0 || closed) {
      broken(peer, code);
      return;
    }
    const lengths = new Int32Array(memory.buffer, 0, together);
    for (let k = 0; k < count; k++) {
      const at = 4 * together + k * placeBytes;
      const fault = take(peer, inbound, memory.subarray(at, at + lengths[k]));
      if (fault === undefined) continue;
      refuse(peer, fault);
      return;
    }
    inbound.more = count === together;
    pump(peer);
  }

  /** Takes in a letter, or says why it is refused. */
  function take(peer: number, inbound: Inbound, letter: Uint8Array): string | undefined {
    const header = readHeader(letter, spec);
    if (typeof header === "string") return header;
    const { type, bytes } = header;
    const apart = type !== undefined && bytes > inlineBytes;
    let data: Vector | undefined;
    if (type !== undefined && !apart) {
      data = spare.take(type, bytes / elementBytes[type]);
      bytesOf(data).set(letter.subarray(headerBytes));
    }
    inbound.add({ header, data, apart });
    // What is read ahead is delivered later: until then it says how far its sender has come.
    ears?.reached?.(peer, inbound.reached);
    return undefined;
  }

  /** Delivers what a peer has sent for the rounds up to this one. */
  function pump(peer: number): void {
    const inbound = inbounds[peer];
    while (!inbound.fetching) {
      const letter = inbound.first(current);
      if (letter === undefined) break;
      if (letter === "later") {
        // The peer is in a later round: it sends nothing more in this one.
        if (ears?.awaits(peer)) ears.gone(peer);
        break;
      }
      if (letter.apart) fetch(peer, inbound, letter.header);
      else {
        inbound.shift();
        deliver(peer, letter.header, letter.data);
      }
    }
    if (inbound.more || overhearing || ears?.awaits(peer)) listen(peer);
  }

  /** Offers memory for the vector that a peer is to send next, unless others of it come first. */
  function offer(peer: number, { type, length }: Incoming): void {
    const inbound = inbounds[peer];
    const { offer: before, fetching, owes } = inbound;
    if (length * elementBytes[type] <= inlineBytes || before !== undefined || fetching || owes) return;
    if (!deaf.has(peer) && peer !== rank) inbound.offer = receive(peer, type, length);
  }

  function receive(peer: number, type: ElementType, length: number): Offer {
    const made: Offer = { memory: spare.take(type, length), code: undefined, ended: () => {} };
    post(kinds.receive, peer, tags.payload, made.memory, (code) => {
      made.code = code;
      made.ended();
    });
    return made;
  }

  /** Receives the vector that belongs to the first letter. */
  function fetch(peer: number, inbound: Inbound, header: Header): void {
    const { type, bytes } = header;
    if (type === undefined) return;
    inbound.fetching = true;
    const taken = inbound.offer ?? receive(peer, type, bytes / elementBytes[type]);
    inbound.offer = undefined;
    taken.ended = () => {
      if (inbounds[peer] !== inbound) return;
      inbound.fetching = false;
      inbound.shift();
      // A vector that is longer than what was offered is lost: MPI says so.
      if (taken.code !== 0) broken(peer, taken.code ?? 0);
      else {
        deliver(peer, header, asAnnounced(taken.memory, type, bytes));
        pump(peer);
      }
    };
    if (taken.code !== undefined) taken.ended();
  }

  /** What came, where another vector was expected: as much as was announced, of that type. */
  function asAnnounced(memory: Vector, type: ElementType, bytes: number): Vector {
    if (memory.byteLength === bytes && typeOf(memory) === type) return memory;
    const data = spare.take(type, bytes / elementBytes[type]);
    bytesOf(data).set(bytesOf(memory).subarray(0, bytes));
    spare.give(memory);
    return data;
  }

  function deliver(peer: number, { kind, round, sequence }: Header, data: Vector | undefined): void {
    ears?.deliver(peer, { kind, round, sequence, data });
  }

  /** Nothing more is read from this peer: its next message may be a part of the letter that was refused. */
  function refuse(peer: number, reason: string): void {
    deaf.add(peer);
    ears?.refuse(reason);
    ears?.gone(peer);
    const { log = (line: string) => process.stderr.write(`${line}\n`) } = options;
    log(`peer ${rank}: refused peer ${peer}: ${reason}`);
  }

  /** A dead rank (with ULFM), a revoked network, or the end of this one. */
  function broken(peer: number, code: number): void {
    if (closed || ears?.awaits(peer) !== true) return;
    ears.refuse(note(code));
    ears.gone(peer);
  }

  /** The text of an error. The first rank that learns of a death revokes the network, so that all others learn of it, too. */
  function note(code: number): string {
    const text = addon.errorText(code);
    if (library.ulfm && /proc_failed|revoked|process fail/i.test(text)) lane.lost = true;
    return text;
  }

  function unsent(): void {
    if (ears !== undefined) ears.counts.unsent++;
  }

  function post(kind: number, peer: number, tag: number, memory: Vector, done: Posted["done"]): void {
    if (memories.length === 0) queueMicrotask(flush);
    posted.set(firstId + memories.length, { memory, done });
    numbers.push(kind, peer, tag);
    memories.push(memory);
  }

  function flush(): void {
    if (memories.length === 0) return;
    const [first, requests, held] = [firstId, Int32Array.from(numbers), memories];
    firstId = first + held.length > 2 ** 30 ? 0 : first + held.length;
    numbers = [];
    memories = [];
    if (!closed) addon.post(first, requests, held);
  }

  function send(peer: number, { kind, round, sequence, data }: Letter): Promise<void> | undefined {
    const bytes = data?.byteLength ?? 0;
    const type = data === undefined ? undefined : typeOf(data);
    const small = bytes <= inlineBytes;
    const before = unfinished.get(peer) ?? 0;
    if (!small && before >= unfinishedLimit) {
      unsent();
      return send(peer, { kind: "no", round, sequence: 0, data: undefined });
    }
    const header: Header = { kind, type, guard: "none", round, sender: rank, sequence, bytes, checksum: 0 };
    const letter = new Uint8Array(headerBytes + (small ? bytes : 0));
    letter.set(encodeHeader(header, spec));
    if (small && data !== undefined) letter.set(bytesOf(data), headerBytes);
    post(kinds.send, peer, tags.letter, letter, (code) => {
      if (code === 0) return;
      note(code);
      unsent();
    });
    if (small || data === undefined) return undefined;
    unfinished.set(peer, before + 1);
    return new Promise((resolve) => {
      post(kinds.send, peer, tags.payload, data, () => {
        unfinished.set(peer, (unfinished.get(peer) ?? 1) - 1);
        resolve();
      });
    });
  }

  const lane = {
    ...runtimeClock,
    ...{ name: "mpi", ordered: true, library, send },
    /** Whether a rank has died, as far as this one has heard (only where the library can go on after it). */
    lost: false,
    /** Settled when MPI has been finalised, which needs all ranks to close. */
    finished: new Promise<void>((resolve) => {
      finish = resolve;
    }),

    start: () => settle("MPI_Init", () => addon.start(onEnds)),

    /** What each rank calls its machine: every rank sends its name to every other, once, before the first exchange. */
    async hosts(own: string): Promise<string[]> {
      const said = new Uint8Array(hostBytes);
      said.set(new TextEncoder().encode(own).subarray(0, hostBytes));
      const exchanged = (kind: number, peer: number, memory: Uint8Array) =>
        new Promise<void>((resolve, reject) => {
          post(kind, peer, tags.host, memory, (code) => {
            if (code === 0) resolve();
            else reject(new MpiError(`the hosts of the ranks: ${addon.errorText(code)}`));
          });
        });
      const names = Array.from({ length: size }, (_, peer) => (peer === rank ? said : new Uint8Array(hostBytes)));
      const all = names.flatMap((name, peer) =>
        peer === rank ? [] : [exchanged(kinds.receive, peer, name), exchanged(kinds.send, peer, said)],
      );
      flush();
      await Promise.all(all);
      return names.map((bytes) => new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0) >>> 0)));
    },

    /** All survivors call it. Requests of the old network end with errors. */
    async shrink(): Promise<Position> {
      const place = await settle("MPIX_Comm_shrink", () => addon.shrink());
      lane.lost = false;
      deaf.clear();
      shrunk++;
      spec = digest();
      return place;
    },

    open(given: Ears): void {
      ears = given;
    },

    leave(round: number): readonly Vector[] {
      current = round;
      expected = [];
      overhearing = false;
      return [];
    },

    expects(peer: number, first?: Incoming): void {
      expected.push(peer);
      listen(peer);
      if (first !== undefined) offer(peer, first);
    },

    /** Delivers what came before the exchange began, now that this peer's own letters are sent. */
    wait(): void {
      for (const peer of [...expected]) {
        if (deaf.has(peer)) ears?.gone(peer);
        else pump(peer);
      }
      flush();
    },

    overhear(): void {
      overhearing = true;
      for (let peer = 0; peer < size; peer++) listen(peer);
      flush();
    },

    recycle(data: Vector): void {
      spare.give(data);
    },

    async close(): Promise<void> {
      // Last votes are still in the batch.
      flush();
      closed = true;
      addon.stop();
    },
  } satisfies Lane & Record<string, unknown>;
  return lane;
}
