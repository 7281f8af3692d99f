/** The room's server towards strangers: pages elsewhere, floods, garbage; what it serves, and what it never says. */

import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { type Invite, roomProof } from "@equitopo/web";
import { InputError } from "equitopo";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { protocolVersion } from "../../../web/src/room/protocol.ts";
import { allowance } from "../../src/room/admission.ts";
import { RoomServer } from "../../src/room/server.ts";
import { openRoom, page, sit } from "./rooms.ts";

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

const ask = (port: number, path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<Answer>((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      let body = "";
      response.on("data", (text) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    asked.on("error", reject);
    asked.end();
  });

/** How a socket ends: what it heard, and its close code; "refused" where it was not even opened. */
const dial = (url: string, headers: Record<string, string>, say: readonly (string | Uint8Array)[] = []) =>
  new Promise<{ heard: string[]; code: number | "refused" }>((resolve) => {
    const heard: string[] = [];
    const socket = new WebSocket(url, { headers });
    socket.on("open", () => {
      for (const message of say) socket.send(message);
    });
    socket.on("message", (data) => heard.push(String(data)));
    socket.on("error", () => {});
    socket.on("unexpected-response", () => resolve({ heard, code: "refused" }));
    socket.on("close", (code) => resolve({ heard, code }));
  });

const joining = ({ room, key }: Invite) =>
  JSON.stringify({
    ...{ kind: "join", version: protocolVersion, room, proof: roomProof(key) },
    ...{ runtime: "node", rtc: false, seal: true },
  });

describe("the page", () => {
  it("goes out with its own policy and strict headers, from one path", async () => {
    const { server } = await openRoom();
    const { status, headers, body } = await ask(server.port, "/join");
    expect([status, body]).toEqual([200, page.toString()]);
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; script-src 'sha256-x'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
    for (const path of ["/", "/join/..", "/signal", "/../package.json"]) {
      const other = await ask(server.port, path);
      expect([path, other.status, other.headers["x-content-type-options"]]).toEqual([path, 404, "nosniff"]);
    }
    expect((await ask(server.port, "/join", {}, "POST")).status).toBe(405);
    expect((await ask(server.port, "/join", {}, "HEAD")).body).toBe("");
  });

  it("is not for names that are not this server's: a page elsewhere may have pointed its name here", async () => {
    const { server } = await openRoom();
    for (const host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", "127.0.0.1:1"]) {
      expect((await ask(server.port, "/join", { Host: host })).status, host).toBe(421);
    }
    expect((await ask(server.port, "/join", { Host: `localhost:${server.port}` })).status).toBe(200);
  });
});

describe("a socket", () => {
  it("is refused to other pages and other names, before a word is read", async () => {
    const { server } = await openRoom();
    const url = `ws://127.0.0.1:${server.port}/signal`;
    const own = `http://127.0.0.1:${server.port}`;
    const wrong: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `https://127.0.0.1:${server.port}` },
      { Origin: `http://127.0.0.1:${server.port + 1}` },
      { Host: "evil.example" },
    ];
    for (const headers of wrong) expect((await dial(url, headers)).code, JSON.stringify(headers)).toBe("refused");
    expect((await dial(url.replace("/signal", "/other"), {})).code).toBe("refused");
    expect((await dial(url, { Origin: own }, ["{"])).code).toBe(1008);
  });

  it.each([
    ["garbage", "{"],
    ["a join that is none", JSON.stringify({ kind: "join" })],
    ["something else than a join", JSON.stringify({ kind: "ready" })],
    ["a relayed message", new Uint8Array(20)],
    ["too long a message", "x".repeat(200_000)],
  ])("of a stranger is closed on %s, and hears of nobody", async (_, message) => {
    const { server, invite } = await openRoom();
    const { heard, code } = await dial(`ws://127.0.0.1:${server.port}/signal`, {}, [message]);
    expect([1008, 1009]).toContain(code);
    expect(heard.join()).not.toMatch(/runs|here|secret/);
    expect(heard.join()).not.toContain(invite.room);
  });

  it("that is being closed is not listened to any more", async () => {
    const { server, room, invite } = await openRoom();
    const { heard } = await dial(`ws://127.0.0.1:${server.port}/signal`, {}, ["{", joining(invite)]);
    expect(heard).toEqual([JSON.stringify({ kind: "refused", reason: "malformed" })]);
    expect(room.seats.map(({ epoch }) => epoch)).toEqual([0, 0, 0, 0]);
  });

  it("that does not read what is sent to it is closed, before it fills the server's memory", async () => {
    const { server, room, invite } = await openRoom();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/signal`);
    await once(socket, "open");
    socket.send(joining(invite));
    await once(socket, "message");
    socket.pause();
    const message = { kind: "signal", from: 1, epoch: 1, text: "x".repeat(2 ** 17) } as const;
    room.heard = () => new Array(400).fill({ kind: "send", socket: 0, message });
    socket.send(JSON.stringify({ kind: "ready" }));
    await expect.poll(() => room.seats[0].state, { timeout: 4000 }).not.toBe("taken");
    socket.terminate();
  });

  it("that says nothing at all, not even what it wants, is closed in time", { timeout: 15_000 }, async () => {
    const { server } = await openRoom();
    const silent = connect(server.port, "127.0.0.1");
    silent.on("error", () => {});
    silent.resume();
    const begun = performance.now();
    await once(silent, "close");
    expect(performance.now() - begun).toBeLessThan(8000);
  });

  it("is not closed by what others send through the relay to one who has no link there", async () => {
    const { server, room, invite } = await openRoom();
    const { member } = await sit(invite);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/signal`);
    await once(socket, "open");
    socket.send(joining(invite));
    await once(socket, "message");
    const { rank, epoch } = room.seats[member.rank];
    const bytes = new Uint8Array(64 * 1024);
    new DataView(bytes.buffer).setUint32(0, 65_536 * epoch + rank, true);
    for (let k = 0; k < 48; k++) socket.send(bytes);
    await expect.poll(() => room.relayed[0]?.messages).toBe(48);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(room.seats[rank]).toMatchObject({ epoch, state: "taken" });
    expect(member.view.server).toBe("here");
    socket.terminate();
  });

  /** A member by hand: what it hears, and how it ends. */
  const seat = async (url: string, invite: Invite) => {
    const socket = new WebSocket(url);
    const heard: string[] = [];
    const closed = once(socket, "close").then(([code]) => Number(code));
    socket.on("message", (data) => heard.push(String(data)));
    await once(socket, "open");
    socket.send(joining(invite));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    return { socket, heard, closed };
  };

  it.each([
    ["a report that is none", undefined, "{}"],
    [
      "a report of another seat",
      undefined,
      { kind: "round", rank: 3, run: 0, round: 1, partners: [], bytes: 0, lag: 0 },
    ],
    [
      "a report that can be nothing of the runs",
      () => false,
      { kind: "round", rank: 0, run: 0, round: 1, partners: [], bytes: 0, lag: 0 },
    ],
  ] as const)("loses its seat over %s", async (_, onReport, event) => {
    const { server, invite, room } = await openRoom(undefined, onReport && { onReport });
    const { socket, closed } = await seat(`ws://127.0.0.1:${server.port}/signal`, invite);
    const text = typeof event === "string" ? event : JSON.stringify({ version: 1, ...event });
    socket.send(JSON.stringify({ kind: "report", text, more: false }));
    expect(await closed).toBe(1008);
    await expect.poll(() => room.seats[0].state, { timeout: 4000 }).toBe("free");
  });

  it("may report so much and no more, and so may who comes back to its seat", async () => {
    const { server, invite, events } = await openRoom(undefined, { reports: 50 });
    const text = JSON.stringify({
      version: 1,
      kind: "round",
      rank: 0,
      run: 0,
      round: 1,
      partners: [],
      bytes: 0,
      lag: 0,
    });
    for (const _ of [1, 2, 3]) {
      const { socket, closed } = await seat(`ws://127.0.0.1:${server.port}/signal`, invite);
      for (let k = 0; k < 1000; k++) socket.send(JSON.stringify({ kind: "report", text, more: false }));
      expect(await closed).toBe(1008);
    }
    // Fifty at once, and two hundred a second.
    expect(events.length).toBeLessThan(1500);
  });

  it("tells others of no place to dial but its own", async () => {
    const { server, invite } = await openRoom();
    const url = `ws://127.0.0.1:${server.port}/signal`;
    const other = await seat(url, invite);
    const { socket } = await seat(url, invite);
    const places = [
      { tcp: { host: "127.0.0.1", port: 4711 }, websocket: "ws://127.0.0.1:4712/" },
      { tcp: { host: "192.0.2.1", port: 4711 }, websocket: "wss://192.0.2.1:4712/" },
      { tcp: { host: "localhost", port: 22 }, websocket: "ws://127.0.0.1/" },
      { tcp: { host: "no-such-host.invalid", port: 4711 }, websocket: "wss://no-such-host.invalid:4712/" },
    ];
    for (const listening of places) socket.send(JSON.stringify({ kind: "announce", listening }));
    socket.send(JSON.stringify({ kind: "signal", to: 0, epoch: 1, text: "after them" }));
    await expect.poll(() => other.heard.some((text) => text.includes("after them")), { timeout: 15_000 }).toBe(true);
    const told = other.heard.map((text) => JSON.parse(text)).filter(({ kind }) => kind === "here");
    expect(told.map(({ occupant }) => occupant.listening)).toEqual([places[0], {}, {}, {}]);
    expect(JSON.parse(other.heard.at(-1) as string).kind).toBe("signal");
  });

  it("is one of so many of an address", async () => {
    const { server } = await openRoom();
    const url = `ws://127.0.0.1:${server.port}/signal`;
    const open: WebSocket[] = [];
    const results = await Promise.all(
      Array.from(
        { length: 30 },
        () =>
          new Promise<string>((resolve) => {
            const socket = new WebSocket(url);
            open.push(socket);
            socket.on("open", () => resolve("open"));
            socket.on("error", () => resolve("refused"));
          }),
      ),
    );
    // Twice the four seats, and sixteen.
    expect(results.filter((result) => result === "open")).toHaveLength(24);
    for (const socket of open) socket.terminate();
  });

  it("may say so much at once, and so much a second", () => {
    const spend = allowance(3, 2, 0);
    expect([0, 0, 0, 0].map((now) => spend(now))).toEqual([true, true, true, false]);
    expect([spend(400), spend(500), spend(1000)]).toEqual([false, true, true]);
    expect([spend(60_000), spend(60_000), spend(60_000), spend(60_000)]).toEqual([...[true, true, true, false]]);
  });
});

describe("a server", () => {
  it("needs TLS off this machine, and a port that is free", async () => {
    const { room, server } = await openRoom();
    const options = { room, size: 4, runs: 1, page };
    await expect(RoomServer.listen({ ...options, host: "0.0.0.0" })).rejects.toThrow(/needs TLS/);
    await expect(RoomServer.listen({ ...options, port: server.port })).rejects.toThrow(InputError);
  });
});
