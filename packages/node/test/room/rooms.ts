/** A room on this machine and members of it, for tests: the runs of a spec, a server, peers that join by its link. */

import { randomBytes } from "node:crypto";
import {
  encodeRuns,
  type Invite,
  inviteLink,
  LinkTransport,
  Member,
  type MemberOptions,
  type MemberView,
  parseInvite,
  Room,
  reportLengthFor,
  roomProof,
  type SignalSocket,
} from "@equitopo/web/internal";
import { afterEach } from "vitest";
import { WebSocket } from "ws";
import { toBase64url } from "../../../equitopo/src/number/base64.ts";
import { stateHash } from "../../../equitopo/src/number/hash.ts";
import { type PeerSummary, peersOf } from "../../../equitopo/src/peer/course/options.ts";
import { type PeerEvent, type RecordEvent, reportingPeer } from "../../../equitopo/src/peer/report/event.ts";
import type { ProblemContext } from "../../../equitopo/src/problem/problem.ts";
import { runSpec } from "../../../equitopo/src/run/run.ts";
import { expandSpec, type RunSpec, type SpecDocument } from "../../../equitopo/src/run/spec.ts";
import { joinRoom } from "../../src/room/join.ts";
import { RoomServer, type RoomServerOptions } from "../../src/room/server.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export const document: SpecDocument = {
  topologies: [{ name: "ou-equidyn", n: 4 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 8 },
  rounds: 30,
  every: 10,
  seeds: [5],
};

export interface OpenRoom {
  readonly runs: readonly RunSpec[];
  readonly room: Room;
  readonly server: RoomServer;
  readonly invite: Invite;
  readonly link: string;
  readonly events: PeerEvent[];
  /** Of the last rows that members reported. */
  readonly hash: () => string;
}

export const page = Buffer.from(
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-x'">`,
);

type RoomSettings = Partial<RoomServerOptions> & { readonly timeout?: number; readonly context?: ProblemContext };

export async function openRoom(
  spec: SpecDocument = document,
  { timeout = 5000, context, ...options }: RoomSettings = {},
): Promise<OpenRoom> {
  const runs = expandSpec(spec, context);
  const key = new Uint8Array(randomBytes(32));
  const name = toBase64url(randomBytes(16));
  const room = new Room({
    ...{ room: name, proof: roomProof(key), size: peersOf(runs), runs: encodeRuns(runs), timeout },
    ...{ reportLength: reportLengthFor(1000), secret: () => randomBytes(16).toString("hex") },
  });
  const events: PeerEvent[] = [];
  const server = await RoomServer.listen({
    ...{ room, size: peersOf(runs), runs: runs.length, page, onReport: (event) => events.push(event) > 0, grace: 100 },
    ...options,
  });
  ends.push(() => server.close());
  const link = inviteLink({ origin: server.origin, room: name, key });
  const hash = () => {
    const last: RecordEvent[] = [];
    for (const event of events) if (event.kind === "record") last[event.rank] = event;
    return hashOf(last.map(({ x }) => x));
  };
  return { runs, room, server, invite: parseInvite(link), link, events, hash };
}

/** Of all rows, as the simulator has it. */
const hashOf = (rows: readonly ArrayLike<number>[]) =>
  stateHash(Float64Array.from(rows.flatMap((row) => Array.from(row))));

export const nodeSocket = (url: string) => new WebSocket(url) as unknown as SignalSocket;

export type Joining = Partial<MemberOptions> & {
  readonly onEvent?: (event: PeerEvent) => void;
  readonly signal?: AbortSignal;
  /** Goes on at full speed where it hears nobody. */
  readonly alone?: boolean;
};

export interface Seated {
  readonly member: Member;
  readonly transport: LinkTransport;
  /** Links, runs, leaves. */
  readonly done: Promise<PeerSummary>;
}

/** A member in its seat that goes through all of it. */
export async function sit(
  invite: Invite,
  { onEvent, signal, alone = false, ...options }: Joining = {},
): Promise<Seated> {
  const member = await Member.join({ invite, runtime: "node", socket: nodeSocket, ...options });
  const transport = new LinkTransport({ ...member.lane });
  const work = async () => {
    try {
      await member.connect(transport);
      return await reportingPeer({ transport, runs: member.runs, timeout: member.timeout, signal, alone }, (event) => {
        member.report(event);
        onEvent?.(event);
      });
    } finally {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await transport.close();
      await member.leave();
    }
  };
  const done = work();
  done.catch(() => {});
  ends.push(async () => {
    await transport.close();
    member.close();
  });
  return { member, transport, done };
}

/** Members one after the other, so that member k has seat k. */
export async function allSeated(
  invite: Invite,
  count: number,
  { onView, ...options }: Joining & { readonly onView?: (k: number, view: MemberView) => void } = {},
): Promise<Seated[]> {
  const members: Seated[] = [];
  for (let k = 0; k < count; k++) {
    members.push(await sit(invite, { ...options, onChange: (view) => onView?.(k, view) }));
  }
  return members;
}

export const ended = (members: readonly Pick<Seated, "done">[]) => Promise.all(members.map(({ done }) => done));

/** A Node peer by link, as `equitopo worker --join` is. */
export async function sitAsNode(invite: Invite, { onEvent, signal, ...options }: Omit<Joining, "invite"> = {}) {
  const joined = await joinRoom({ ...options, invite });
  const { member, transport } = joined;
  const work = async () => {
    try {
      await joined.connect();
      return await reportingPeer({ transport, runs: member.runs, timeout: member.timeout, signal }, (event) => {
        member.report(event);
        onEvent?.(event);
      });
    } finally {
      await joined.leave();
    }
  };
  const done = work();
  done.catch(() => {});
  ends.push(() => joined.leave());
  return { member, transport, done };
}

/** What the simulator ends with. */
export const simulated = (runs: readonly RunSpec[]) => runSpec(runs[0]).stateHash;
