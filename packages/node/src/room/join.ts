/**
 * A Node peer that joins a room by its link. It listens for other Node peers (TCP) and for browsers (WebSocket), on this
 * machine only unless it is given an address that others can reach. All other links are data channels, if the runtime has
 * them (@equitopo/rtc), or go through the relay.
 */

import {
  type Invite,
  isLoopbackHost,
  LinkTransport,
  Member,
  type MemberOptions,
  specHash,
} from "@equitopo/web/internal";
import type { ProblemContext } from "equitopo";
import { largestSent } from "equitopo/peer";
import { type ClientOptions, WebSocket } from "ws";
import { RoutedTransport } from "../routes/route.ts";
import type { Pem, ServerTls } from "../server/address.ts";
import { LinkServer } from "../server/link-server.ts";

export interface JoinOptions extends Pick<MemberOptions, "rtc" | "want" | "patience" | "onChange" | "onRefused"> {
  readonly invite: Invite;
  /** The host at which others reach this peer. Default: this machine if the room is on it; else the peer does not listen. */
  readonly host?: string;
  /** TLS certificate and key (PEM) of that host, for browsers: without them they dial it on this machine only. */
  readonly tls?: ServerTls;
  /** An authority to trust besides the system's, for the room's server and for other peers. */
  readonly ca?: Pem;
  /** What problems are made with besides their specs; nothing if left out. */
  readonly context?: ProblemContext;
  /** Called with a line for each peer that is refused, and the reason. Default: does nothing. */
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
  const { invite, ca, tls, context, log } = options;
  const settings = { perMessageDeflate: false, maxPayload, ...(ca === undefined ? {} : { ca }) };
  const member = await Member.join({
    ...{ ...options, runtime: "node" },
    socket: (url) => new WebSocket(url, settings as ClientOptions) as unknown as ReturnType<MemberOptions["socket"]>,
  });
  const host = options.host ?? (isLoopbackHost(new URL(invite.origin).hostname) ? "127.0.0.1" : undefined);
  const { rank, size } = member;
  const ends: (() => Promise<void>)[] = [];
  try {
    // No peer may send a vector larger than the largest in the runs.
    const lane = { ...member.lane, maxBytes: largestSent(member.runs, { ...context, first: rank }).bytes };
    const transport =
      host === undefined
        ? new LinkTransport(lane)
        : await RoutedTransport.listen({
            ...{ ...lane, addresses: new Array(size).fill(undefined), listen: { host, port: 0 }, key: invite.key },
            log: log ?? (() => {}),
          });
    ends.push(() => transport.close());
    // Plain WebSockets are for this machine: without TLS, browsers elsewhere could not reach it.
    const reachable = host !== undefined && (tls !== undefined || isLoopbackHost(host));
    const server = reachable
      ? await LinkServer.listen({
          ...{ listen: { host, port: 0 }, rank, size, spec: specHash(member.lane.spec), key: invite.key },
          ...(tls === undefined ? {} : { tls }),
          onLink: (peer, link) => transport.attach(peer, link),
          onRefused: (reason) => log?.(`peer ${rank}: refused a link: ${reason}`),
        })
      : undefined;
    if (server !== undefined) ends.push(() => server.close());
    const listening = {
      ...(host !== undefined && transport instanceof RoutedTransport ? { tcp: { host, port: transport.port } } : {}),
      ...(server === undefined ? {} : { websocket: server.url }),
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
