/** Attacks on `equitopo serve` and on the Node peers that it starts: odd messages with and without the key, and false reports. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialLink, joinRoom } from "@equitopo/node/internal";
import { handedRuns, parseInvite, readFromRoom, roomProof, type Seat, specHash } from "@equitopo/web/internal";
import { reportingPeer, specText } from "equitopo/internal/peer";
import { WebSocket } from "ws";
import { drawsOf, oddBytes, oddRequest, oddText } from "./odd.ts";
import { exchange, pause, until, type Victim, victim } from "./victim.ts";

type Invite = ReturnType<typeof parseInvite>;

async function open(
  folder: string,
  rounds: number,
): Promise<{ program: Victim; invite: Invite; port: number; out: string }> {
  const spec = join(folder, `room-${rounds}.json`);
  const out = join(folder, `out-${rounds}`);
  const document = {
    topologies: [{ name: "complete", n: 4 }],
    algorithms: [{ name: "dsgd", learningRate: 0.05 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds, every: Math.max(1, rounds / 200) },
  };
  writeFileSync(spec, JSON.stringify(document));
  const words = ["serve", spec, "--fill", "2", "--port", "0", "--timeout", "2000", "--out", out];
  const program = victim(words);
  const invite = parseInvite(await program.find(/invite: (\S+)/));
  return { program, invite, port: Number(new URL(invite.origin).port), out };
}

const joining = ({ room, key }: Invite) => ({
  ...{ kind: "join", version: 2, room, proof: roomProof(key), runtime: "node", rtc: false, seal: true },
});
const models = [
  { kind: "announce", listening: { tcp: { host: "127.0.0.1", port: 4711 }, websocket: "ws://127.0.0.1:4712/" } },
  { kind: "signal", to: 0, epoch: 1, text: '{"say":"try","attempt":1,"way":"relay"}' },
  { kind: "signal", to: 1, epoch: 1, text: '{"say":"again","attempt":4}' },
  { kind: "ready" },
  { kind: "waiting" },
  {
    kind: "report",
    text: '{"version":1,"kind":"round","rank":3,"run":0,"round":1,"partners":[0],"bytes":1,"lag":0}',
    more: false,
  },
  { kind: "report", text: "x".repeat(1000), more: true },
];

/** One connection to the room: a seat where `key` says so, and then odd messages until it is closed. Answers how many. */
function visit(url: string, first: string | undefined, messages: readonly (string | Uint8Array)[]): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    let said = 0;
    const end = () => {
      clearTimeout(timer);
      socket.terminate();
      resolve(said);
    };
    const timer = setTimeout(end, 1000);
    const say = () => {
      for (const message of messages) {
        if (socket.readyState !== WebSocket.OPEN) break;
        socket.send(message);
        said++;
      }
      setTimeout(end, 20);
    };
    socket.on("open", () => {
      if (first === undefined) return say();
      socket.send(first);
      socket.once("message", say);
    });
    socket.on("error", end).on("close", end);
  });
}

/** What a newcomer hears first: its seat, if it gets one within ten seconds. */
async function seatIn(invite: Invite): Promise<Seat | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const socket = new WebSocket(`${invite.origin.replace("http", "ws")}/signal`);
    const seat = await new Promise<Seat | undefined>((resolve) => {
      const late = setTimeout(() => resolve(undefined), 2000);
      socket.on("error", () => {}).on("close", () => resolve(undefined));
      socket.on("open", () => socket.send(JSON.stringify(joining(invite))));
      socket.on("message", (data) => {
        const said = readFromRoom(String(data));
        if (said?.kind !== "seat") return;
        clearTimeout(late);
        resolve(said);
      });
    });
    socket.terminate();
    if (seat !== undefined) return seat;
    await pause(500);
  }
  return undefined;
}

export async function attackRoom(total: number, seed: number, folder: string) {
  const { program, invite, port } = await open(folder, 1e6);
  const url = `${invite.origin.replace("http", "ws")}/signal`;
  await program.find(/(2 of 4 taken)/);
  const before = program.held();
  const sent = await until(total, 8, async (k) => {
    const draw = drawsOf(seed + k);
    if (k % 8 === 7)
      return await exchange(
        port,
        Array.from({ length: 8 }, () => oddRequest(draw, [`Host: 127.0.0.1:${port}`])),
        100,
      );
    const odd = () => (draw(3) === 0 ? oddBytes(draw, 2000) : oddText(draw, models));
    const first = k % 2 === 0 ? JSON.stringify(joining(invite)) : undefined;
    return await visit(url, first, Array.from({ length: 60 }, odd));
  });
  // Seats of those who went away are kept for a moment.
  await pause(6000);
  const held = program.held() - before;
  const well =
    program.alive() && (await fetch(`${invite.origin}/join`)).status === 200 && (await seatIn(invite)) !== undefined;
  await program.end();
  return { sent, held, well, why: program.said().slice(-500) };
}

/** Odd frames to a Node peer's WebSocket listener, from strangers and from one that proves that it belongs to the network. */
export async function attackListener(total: number, seed: number, folder: string) {
  const { program, invite } = await open(folder, 1e6);
  await program.find(/(2 of 4 taken)/);
  await pause(1500);
  const seat = (await seatIn(invite)) as Seat;
  const [address, another] = seat.here.flatMap(({ listening }) => listening.websocket ?? []);
  const runs = handedRuns(JSON.parse(seat.runs)) ?? [];
  const own = { rank: 3, size: 4, spec: specHash(specText({ runs })), key: invite.key, timeout: 1000 };
  const before = program.held();
  const sent = await until(total, 8, async (k) => {
    const draw = drawsOf(seed + k);
    const frames = Array.from({ length: 60 }, () => oddBytes(draw, draw(20) === 0 ? 70_000 : 200));
    if (k % 2 === 1) return await visit(k % 4 === 1 ? address : another, undefined, frames);
    const peer = seat.here.find(({ listening }) => listening.websocket === address)?.rank as number;
    const known = await dialLink(address, { ...own, peer }).catch(() => undefined);
    if (known === undefined) return 0;
    let said = 0;
    let closed = false;
    known.link.listen({
      ...{ message: () => {}, drained: () => {} },
      closed: () => {
        closed = true;
      },
    });
    for (const frame of frames) {
      if (closed) break;
      known.link.send(frame);
      said++;
      if (said % 4 === 0) await pause(0);
    }
    known.link.close();
    return said;
  });
  const held = program.held() - before;
  const peer = seat.here[0].rank;
  const known = await dialLink(address, { ...own, peer, timeout: 5000 }).catch(() => undefined);
  known?.link.close();
  // A peer that ends would have left its seat.
  const again = await seatIn(invite);
  const well = program.alive() && known !== undefined && again !== undefined && again.here.length >= 2;
  await program.end();
  return { sent, held, well, why: program.said().slice(-500) };
}

/** A member that reports what was never computed: far updates, floods, zeros for everybody. Honest members end as ever. */
export async function attackReports(total: number, folder: string) {
  const rounds = 2000;
  const { program, invite, out } = await open(folder, rounds);
  await program.find(/(2 of 4 taken)/);
  const honest = joinRoom({ invite });
  const liar = await joinRoom({ invite });
  const before = program.held();
  const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };
  const { rank } = liar.member;
  const record = (updates: number) => {
    const event = {
      kind: "record",
      rank,
      run: 0,
      updates,
      x: new Float64Array(10),
      bytes: 0,
      messages: 0,
      seconds: 0,
      faults,
    };
    liar.member.report(event as Parameters<typeof liar.member.report>[0]);
  };
  let [sent, most] = [0, 0];
  const flood = async () => {
    for (; sent < total; sent++) {
      record(sent % 4 === 0 ? rounds : sent % rounds);
      if (sent === total - 1) record(2 ** 50);
      if (sent % 200 === 0) {
        most = Math.max(most, program.held() - before);
        await pause(1);
      }
    }
  };
  const work = async ({ member, transport, connect, leave }: Awaited<typeof honest>) => {
    await connect();
    const { runs, timeout } = member;
    await reportingPeer({ transport, runs, timeout }, (event) => member !== liar.member && member.report(event)).catch(
      () => {},
    );
    await leave();
  };
  await Promise.all([flood(), work(await honest), work(liar)]);
  const code = await Promise.race([program.ended, pause(60_000).then(() => "it did not end")]);
  await program.end();
  const result = JSON.parse(readFileSync(join(out, "result.json"), "utf8")).runs[0];
  const { relativeError } = result.metrics;
  // A quarter of the models is the liar's, zeros as it says: that alone is 0.5. If all were zeros it were 1.
  const well =
    code === 0 &&
    result.updates === rounds &&
    relativeError < 0.6 &&
    result.real.lost.every((one: number) => one === rank);
  return {
    sent,
    held: most,
    well,
    why: `exit ${code}; relative error ${relativeError}; ${program.said().slice(-500)}`,
  };
}
