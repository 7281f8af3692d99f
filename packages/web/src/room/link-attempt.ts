/**
 * One end of a link that is being made, by each of the ways that two members have (pair.ts): a WebSocket, a data channel,
 * the relay. By every way, the other end must prove its identity before the link is used (link/introduce.ts).
 */

import { Connection, type RtcEnd } from "../link/connection.ts";
import { type IntroduceOptions, introduce } from "../link/introduce.ts";
import { type Link, LinkRefused } from "../link/link.ts";
import { dialSocket, type Socket } from "../link/socket-link.ts";

/** Who is at this end and who must be at the other. */
export type Introduction = Required<Pick<IntroduceOptions, "role" | "rank" | "size" | "spec" | "peer" | "key">>;

export interface LinkAttempt {
  /** The link, once the other end has shown who it is. */
  readonly link: Promise<Link>;
  /** A text of the connection from the other end, where it is a data channel. */
  signal?(text: string): void;
  /** It is no longer wanted, or its link has ended: frees what it holds. */
  close(): void;
}

/** Milliseconds: for what was sent last to leave, before a connection is cut, and for a member that listens to answer. */
const [farewell, dialTimeout] = [500, 2000];

/** By data channel: `say` carries texts to the other end. */
export function openRtc(
  make: () => RtcEnd | Promise<RtcEnd>,
  introduction: Introduction,
  say: (text: string) => void,
): LinkAttempt {
  let connection: Connection | undefined;
  let link: Link | undefined;
  let closed = false;
  // Texts that come before this end is made.
  const early: string[] = [];
  const open = async (): Promise<Link> => {
    const end = await make();
    // A channel that is given up disturbs nobody.
    end.link.catch(() => {});
    connection = new Connection({
      ...{ engine: end.engine, role: introduction.role, send: say },
      onLost: () => link?.close(),
    });
    for (const text of early.splice(0)) connection.signal(text);
    if (closed) connection.close();
    const [opened, fingerprints] = await Promise.all([end.link, connection.fingerprints]);
    link = opened;
    if (closed) throw new LinkRefused("closed");
    return (await introduce(opened, { ...introduction, mode: "rtc", fingerprints })).link;
  };
  return {
    link: open().catch((error) => {
      connection?.close();
      throw error;
    }),
    signal(text) {
      if (connection !== undefined) connection.signal(text);
      else if (early.length < 64) early.push(text);
    },
    close() {
      if (closed) return;
      closed = true;
      link?.close();
      setTimeout(() => connection?.close(), link === undefined ? 0 : farewell);
    },
  };
}

/** By WebSocket to a member that listens. */
export function openWebSocket(socket: (url: string) => Socket, url: string, introduction: Introduction): LinkAttempt {
  const link = dialSocket(url, { ...introduction, socket, timeout: dialTimeout }).then((known) => known.link);
  // Nothing where it came to nothing.
  return { link, close: () => void link.then((one) => one.close()).catch(() => {}) };
}

/** By relay. */
export function openRelay(link: Link, introduction: Introduction): LinkAttempt {
  return {
    link: introduce(link, { ...introduction, mode: "key" }).then((known) => known.link),
    close: () => link.close(),
  };
}
