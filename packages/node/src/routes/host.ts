/**
 * Peers of one machine as threads of one program, and other machines over TCP: one peer, two lanes. Those that share a
 * board (board.ts) read each other's vectors in place; the others are dialled. Both carry the same letters, and the
 * exchange machine above sees one lane.
 *
 * A thread may sleep while it waits for memory, but sockets need its event loop: it sleeps only in exchanges whose
 * partners are all on this machine, and looks at the board only in exchanges that have some here.
 */

import { isMainThread } from "node:worker_threads";
import { InputError } from "equitopo";
import type { Lane } from "equitopo/peer";
import { type TcpOptions, TcpTransport } from "../tcp/tcp.ts";
import { TcpLane } from "../tcp/tcp-lane.ts";
import type { Board } from "../threads/board.ts";
import { threadLane } from "../threads/thread-lane.ts";
import { RoutedLane } from "./route.ts";

export interface HostOptions extends TcpOptions {
  /** The ranks of the peers of this program, ascending; this one is among them. */
  readonly ranks: readonly number[];
  /** Made for as many peers as there are ranks: peer k of the board is ranks[k]. */
  readonly board: Board;
}

/** Milliseconds that a thread sleeps at a time: those who dial it meanwhile, and its own unfinished words, wait so long. */
const slice = 2;

/** A peer that shares its machine's memory with some and reaches the others over TCP. */
export class HostTransport extends TcpTransport {
  /** Listens for TCP from the time that the promise is settled. */
  static override async listen(options: HostOptions): Promise<HostTransport> {
    const tcp = new TcpLane(options);
    const transport = new HostTransport(tcp, options, hostLane(options, tcp));
    await tcp.listen();
    return transport;
  }
}

function hostLane({ rank, size, ranks, board }: HostOptions, tcp: Lane): Lane {
  if (!ranks.includes(rank) || ranks.length !== board.size) {
    throw new InputError("a board is for the ranks of one program", ranks.join(), "make one of as many places");
  }
  /** Whether the exchange under way has partners here, and elsewhere. */
  const partners = { near: false, far: false };
  const wait = () => (partners.far || isMainThread ? "poll" : "block");
  const threads: Lane = threadLane(board, { rank, wait, slice }, ranks);
  const here = new Set(ranks);
  const route = (peer: number) => (here.has(peer) ? threads : tcp);
  const both = new RoutedLane([tcp, threads], size, route);
  return {
    ...both,
    name: "threads and tcp",

    send(peer, letter) {
      const lane = route(peer);
      const busy = lane.send(peer, letter);
      if (lane === tcp) partners.far = true;
      else if (busy !== undefined) partners.near = true;
      return busy;
    },

    expects(peer) {
      const lane = route(peer);
      partners[lane === tcp ? "far" : "near"] = true;
      lane.expects?.(peer);
    },

    wait() {
      tcp.wait?.();
      if (partners.near) threads.wait?.();
    },

    /** Memory of the board is shared, what came from a socket is not. */
    recycle(data) {
      const lane = data.buffer instanceof SharedArrayBuffer ? threads : tcp;
      lane.recycle?.(data);
    },

    leave(round, read) {
      Object.assign(partners, { near: false, far: false });
      return both.leave(round, read);
    },
  };
}
