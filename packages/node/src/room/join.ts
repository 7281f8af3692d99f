/**
 * A Node peer that joins a room by its link. It can be dialled where it listens: by TCP from other Node peers, by WebSocket
 * from browsers, both on this machine unless it is told of an address that others reach; all else is data channels, where
 * the runtime has them (@equitopo/rtc), and the relay.
 */

import {
  type Invite,
  isLoopbackHost,
  type Link,
  LinkTransport,
  Member,
  type MemberOptions,
  specHash,
} from "@equitopo/web";
import type { ProblemContext } from "equitopo";
import { largestSent } from "equitopo/peer";
import { WebSocket } from "ws";
import { LinkServer } from "../peer/link-server.ts";
import { RoutedTransport } from "../peer/routed.ts";

export interface JoinOptions extends Pick<MemberOptions, "rtc" | "want" | "patience" | "onChange" | "onRefused"> {
  readonly invite: Invite;
  /** The host that others reach this peer at. Default: this machine, where the room is on it, and else nowhere. */
  readonly host?: string;
  /** TLS certificate and key (PEM) of that host, for browsers: without them they dial it on this machine only. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** An authority to trust beside the system's, for the room's server and for other peers. */
  readonly ca?: string | Buffer;
  /** What problems are made with beside their specs; none where left out. */
  readonly context?: ProblemContext;
  /** Told of what peers were refused for. Default: nobody. */
  readonly log?: (line: string) => void;
}

export interface NodeMember {
  readonly member: Member;
  readonly transport: LinkTransport;
  /** As Member.connect. */
  connect(): Promise<void>;
  /** Leaves the room and closes everything. */
  leave(): Promise<void>;
}

/** Milliseconds for the last words of this peer to arrive. */
const farewell = 250;

/** Longer than any seat with its runs. */
const maxPayload = 64 * 1024 * 1024;

/**
 * Takes a seat. Rejects as Member.join does.
 *
 * @example
 * ```ts
 * import { joinRoom, RoomServer } from "@equitopo/node";
 * import { encodeRuns, inviteLink, parseInvite, Room, roomProof } from "@equitopo/web";
 * import { expandSpec } from "equitopo";
 * import { reportingPeer } from "equitopo/peer";
 * const runs = expandSpec({
 *   topologies: [{ name: "ring", n: 2 }],
 *   algorithms: [{ name: "dsgd", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 *   rounds: 5,
 * });
 * const [name, key] = ["AAECAwQFBgcICQoLDA0ODw", crypto.getRandomValues(new Uint8Array(32))];
 * const secret = () => crypto.randomUUID();
 * const given = { room: name, proof: roomProof(key), size: 2, runs: encodeRuns(runs), timeout: 5000, secret };
 * const room = new Room({ ...given, reportLength: 1e6 });
 * const server = await RoomServer.listen({ room, size: 2, runs: 1, page: Buffer.from("a page") });
 * const invite = parseInvite(inviteLink({ origin: server.origin, room: name, key }));
 * const peer = async () => {
 *   const { member, transport, connect, leave } = await joinRoom({ invite });
 *   await connect();
 *   const { done } = await reportingPeer({ transport, runs: member.runs }, (event) => member.report(event));
 *   await leave();
 *   return done;
 * };
 * (await Promise.all([peer(), peer()])).join(" ") // => "5 5"
 * await server.close();
 * ```
 */
export async function joinRoom(options: JoinOptions): Promise<NodeMember> {
  const { invite, ca } = options;
  const settings = { perMessageDeflate: false, maxPayload, ...(ca === undefined ? {} : { ca }) };
  const member = await Member.join({
    ...{ ...options, runtime: "node" },
    socket: (url) => new WebSocket(url, settings) as unknown as ReturnType<MemberOptions["socket"]>,
  });
  const host = options.host ?? (isLoopbackHost(new URL(invite.origin).hostname) ? "127.0.0.1" : undefined);
  const ends: (() => Promise<void>)[] = [];
  try {
    const transport =
      host === undefined ? new LinkTransport(laneOf(member, options)) : await routed(member, host, options);
    ends.push(() => transport.close());
    const server =
      host === undefined
        ? undefined
        : await linkServer(member, host, options, (peer, link) => transport.attach(peer, link));
    if (server !== undefined) ends.push(() => server.close());
    const listening =
      host === undefined
        ? {}
        : {
            ...(transport instanceof RoutedTransport ? { tcp: { host, port: transport.port } } : {}),
            ...(server === undefined ? {} : { websocket: urlOf(host, server.port, options.tls !== undefined) }),
          };
    return {
      ...{ member, transport },
      connect: () => member.connect(transport, listening),
      async leave() {
        await new Promise((resolve) => setTimeout(resolve, farewell));
        await member.leave();
        for (const end of ends.splice(0)) await end();
      },
    };
  } catch (error) {
    member.close();
    for (const end of ends.splice(0)) await end();
    throw error;
  }
}

/** Nothing larger than the runs have any use for is taken from anybody. */
function laneOf(member: Member, { context }: JoinOptions) {
  return { ...member.lane, maxBytes: largestSent(member.runs, { ...context, first: member.rank }).bytes };
}

function routed(member: Member, host: string, options: JoinOptions): Promise<RoutedTransport> {
  return RoutedTransport.listen({
    ...laneOf(member, options),
    ...{ addresses: new Array(member.size).fill(undefined), listen: { host, port: 0 }, key: options.invite.key },
    log: options.log ?? (() => {}),
  });
}

/** Undefined where browsers could not reach it: plain WebSockets are for this machine. */
async function linkServer(
  member: Member,
  host: string,
  { invite, tls, log }: JoinOptions,
  onLink: (peer: number, link: Link) => void,
): Promise<LinkServer | undefined> {
  if (tls === undefined && !isLoopbackHost(host)) return undefined;
  const { rank, size } = member;
  return LinkServer.listen({
    ...{ listen: { host, port: 0 }, rank, size, spec: specHash(member.lane.spec), key: invite.key, onLink },
    ...(tls === undefined ? {} : { tls }),
    onRefused: (reason) => log?.(`peer ${rank}: refused a link: ${reason}`),
  });
}

function urlOf(host: string, port: number, secure: boolean): string {
  return `${secure ? "wss" : "ws"}://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}
