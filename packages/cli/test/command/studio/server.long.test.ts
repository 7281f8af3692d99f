import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { OutgoingMessage, request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type LiveEvent, type LiveSource, watchLive } from "@equitopo/web";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openStudio, type Studio } from "../../../src/command/studio/server.ts";
import { openReporter } from "../../../src/live/reporter.ts";
import { bin, equitopo, scratch } from "../../command.ts";

const page = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p>a page</p>`;
const token = "the-token";
const folder = scratch();
let studio: Studio;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, "runs", "mine", "checkpoints"), { recursive: true });
  writeFileSync(join(folder, "runs", "mine", "spec.json"), "{}");
  writeFileSync(join(folder, "runs", "mine", "checkpoints", "a.checkpoint"), "long");
  // A room that nobody entered.
  mkdirSync(join(folder, "runs", "never"));
  writeFileSync(join(folder, "runs", "never", "spec.json"), "{}");
  writeFileSync(join(folder, "runs", "never", "journal.ndjson"), "");
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync(join(folder, "secret.txt"), join(folder, "runs", "mine", "link.txt"));
  studio = await openStudio({ page, folder: join(folder, "runs"), host: "127.0.0.1", port: 0, token });
  origin = new URL(studio.address).origin;
});
afterAll(() => studio.close());

/** As it stands, without a client that tidies the path up. */
function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; head: object; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: studio.port, path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, head: response.headers, text }));
    });
    asked.on("error", reject).end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const pair = {
  topologies: [{ name: "complete", n: 2 }],
  algorithms: [{ name: "dsgd", learningRate: 0.1 }],
  problem: { name: "least-squares" },
};
const own = { authorization: `Bearer ${token}` };

describe("the studio's server", () => {
  test("gives anyone the page, under its own policy, which nobody may frame", async () => {
    const { status, head, text } = await get("/");
    expect([status, text]).toEqual([200, page]);
    expect(head).toMatchObject({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  test.each(["/api/runs", "/api/runs/mine/spec.json", "/api/live", "/api/nothing"])(
    "%s is refused without the token, from another page, and under a foreign name",
    async (path) => {
      expect((await get(path)).status).toBe(403);
      expect((await get(path, { ...own, origin: "https://evil.example" })).status).toBe(403);
      expect((await get(path, { ...own, host: "evil.example" })).status).toBe(403);
    },
  );

  test("lists the runs of the folder with their plain files, and hands these out", async () => {
    const listed = JSON.parse((await get("/api/runs", own)).text);
    expect(listed).toEqual({ runs: [{ name: "mine", files: [{ name: "spec.json", bytes: 2 }] }] });
    expect(await get("/api/runs/mine/spec.json", own)).toMatchObject({ status: 200, text: "{}" });
  });

  test.each([
    "/api/runs/mine/../../secret.txt",
    "/api/runs/mine/..%2f..%2fsecret.txt",
    "/api/runs/../secret.txt",
    "/api/runs/%2e%2e/secret.txt",
    "/api/runs/mine/link.txt",
    "/api/runs/mine/checkpoints",
    "/api/runs/mine/checkpoints%2fa.checkpoint",
    "/api/runs/mine/%ff",
    "/api/runs/mine/spec.json%00",
  ])("%s is no file of it", async (path) => {
    expect(await get(path, own)).toMatchObject({ status: 404, text: "no such file\n" });
  });

  test.each(["//", "///x", "http://[", "/%", "/\\\\", "*", `/${"x".repeat(9000)}`])(
    "goes on after GET %s",
    async (path) => {
      for (const headers of [{}, own]) expect([400, 403, 404]).toContain((await get(path, headers)).status);
      expect((await get("/")).status).toBe(200);
    },
  );

  test("hands out a file of 3 GB without holding it, and goes on where the folder is gone", {
    timeout: 120_000,
  }, async () => {
    const moving = join(folder, "moving");
    mkdirSync(join(moving, "big"), { recursive: true });
    writeFileSync(join(moving, "big", "spec.json"), "{}");
    const file = openSync(join(moving, "big", "rows.bin"), "w");
    ftruncateSync(file, 3 * 2 ** 30);
    closeSync(file);
    const other = await openStudio({ page, folder: moving, host: "127.0.0.1", port: 0, token });
    const ask = (path: string) => fetch(new URL(path, other.address), { headers: own });
    const { body } = await ask("/api/runs/big/rows.bin");
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    for (let bytes = 0; bytes < 2 ** 26; ) bytes += ((await reader.read()).value as Uint8Array).length;
    await reader.cancel();
    renameSync(moving, join(folder, "moved"));
    for (const path of ["/api/runs", "/api/runs/big/spec.json"]) expect((await ask(path)).status).toBe(500);
    expect((await ask("/")).status).toBe(200);
    await other.close();
  });

  test("lets so many watch, and no more", async () => {
    const stop = new AbortController();
    const watch = () => fetch(`${origin}/api/live`, { headers: own, signal: stop.signal });
    const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await watch()).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(64);
    expect(statuses.filter((status) => status === 503)).toHaveLength(16);
    stop.abort();
    await vi.waitFor(() => expect(studio.hub.full).toBe(false));
  });

  test("refuses a port that is taken", async () => {
    const again = openStudio({ page, host: "127.0.0.1", port: studio.port, token });
    await expect(again).rejects.toThrow(/the port must be free/);
  });
});

const begin: LiveEvent = {
  ...{ kind: "begin", title: "t", how: "peers" },
  runs: [{ label: "ring", topology: { name: "ring", n: 5 }, rounds: 9, seed: 0 }],
};
const round = (at: number): LiveEvent => {
  return { kind: "round", rank: 1, run: 0, round: at, partners: [0], bytes: 8, lag: 0 };
};

describe("the live stream", () => {
  test("shows a watcher what was told before and what is told later", async () => {
    const reporter = await openReporter(studio.address, "one");
    reporter.tell(begin);
    reporter.tell(round(3));
    await vi.waitFor(() => expect(studio.hub.board.sources[0].peers[1].round).toBe(3));
    const stop = new AbortController();
    let first: readonly LiveSource[] = [];
    const lines: LiveEvent[] = [];
    const watching = watchLive({
      ...{ origin, token, signal: stop.signal },
      onBoard: (sources) => {
        first = structuredClone(sources);
      },
      onLines: (list) => lines.push(...list.map(({ event }) => event)),
    });
    await vi.waitFor(() => expect(first).toHaveLength(1));
    reporter.tell(round(4));
    reporter.tell({ kind: "over" });
    await vi.waitFor(() => expect(lines).toEqual([round(4), { kind: "over" }]));
    expect(first[0]).toMatchObject({ source: "one", title: "t", peers: { 1: { round: 3 } }, over: false });
    stop.abort();
    await expect(watching).rejects.toThrow(/abort/i);
    await reporter.close();
  });

  test("takes nothing but its own lines, and nothing without the token", async () => {
    const send = (body: string, headers: Record<string, string> = own) =>
      fetch(`${origin}/api/live`, { method: "POST", body, headers }).then(({ status }) => status);
    expect(await send('{"version":1,"source":"x","kind":"no such"}\n')).toBe(400);
    expect(await send("hello\n")).toBe(400);
    expect(await send("", {})).toBe(403);
    expect(await send("")).toBe(204);
    expect(studio.hub.board.sources.map(({ source }) => source)).toEqual(["one"]);
  });

  test.each(["the simulator", "peers over threads"])("is told of a run by run --report: %s", async (how) => {
    const spec = join(folder, "spec.json");
    const words = { topologies: [{ name: "ring", n: 4 }], algorithms: [{ name: "dsgd", learningRate: 0.005 }] };
    writeFileSync(spec, JSON.stringify({ ...words, problem: { name: "least-squares" }, rounds: 12, title: how }));
    const out = join(folder, how.replaceAll(" ", "-"));
    const engine = how === "the simulator" ? ["--workers", "1"] : ["--transport", "threads"];
    const child = spawn(process.execPath, [bin, "run", spec, "--out", out, ...engine, "--report", studio.address]);
    expect(await once(child, "close")).toEqual([0, null]);
    const { runs } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
    const told = studio.hub.board.sources.at(-1) as LiveSource;
    expect(told).toMatchObject({ title: how, how, over: true, stateHashes: { 0: runs[0].stateHash } });
    const { updates, values } = told.curves[0]["relativeError"];
    expect(updates).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(values.at(-1)).toBe(runs[0].metrics.relativeError);
    const peers = Object.values(told.peers);
    expect(peers.map(({ state }) => state)).toEqual(
      how === "the simulator" ? [] : ["ended", "ended", "ended", "ended"],
    );
    for (const { partners, faults } of peers) {
      expect(partners.length).toBe(2);
      expect(faults).toMatchObject({ missed: 0, refused: 0 });
    }
  });

  test("stands when a sender dies in the middle of a line", async () => {
    const dying = request({ host: "127.0.0.1", port: studio.port, path: "/api/live", method: "POST", headers: own });
    dying.on("error", () => {});
    dying.write('{"version":1,"sour');
    await new Promise((resolve) => setTimeout(resolve, 100));
    dying.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await get("/api/runs", own)).status).toBe(200);
  });

  test("a reporter keeps little for a studio that reads nothing", async () => {
    // It answers the greeting, and then takes connections and reads nothing from them.
    const sockets: Socket[] = [];
    let greeted = false;
    const stalled = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      if (greeted) socket.pause();
      else {
        greeted = true;
        socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
      }
    }).listen(0, "127.0.0.1");
    await once(stalled, "listening");
    const { port } = stalled.address() as AddressInfo;
    const reporter = await openReporter(`http://127.0.0.1:${port}/#token=x`, "s");
    const asked = vi.spyOn(OutgoingMessage.prototype, "write");
    reporter.tell(begin);
    const metrics = Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`metric ${k}`.padEnd(150, "x"), k]));
    for (let updates = 0; updates < 20_000; updates++) {
      reporter.tell({ kind: "metrics", run: 0, updates, metrics });
      if (updates % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (let run = 0; run < 50_000; run++) reporter.tell({ kind: "result", run: 0, stateHash: "y".repeat(190) });
    const request = asked.mock.contexts[0] as OutgoingMessage;
    asked.mockRestore();
    expect(request.writableLength).toBeLessThan(2 ** 22 + 10_000);
    await reporter.close();
    for (const socket of sockets) socket.destroy();
    stalled.close();
  });

  test.each(["a file", "the environment", "stdin"])("the address may be in %s", async (where) => {
    const words = ["--rank", "0", "--hosts", join(folder, "none"), "--report"];
    const file = join(folder, "address.txt");
    writeFileSync(file, `${studio.address}x\n`);
    const word = { "a file": file, "the environment": "env", stdin: "-" }[where] as string;
    const spec = join(folder, "address.json");
    writeFileSync(spec, JSON.stringify({ ...pair, rounds: 2 }));
    const child = spawn(process.execPath, [bin, "worker", spec, ...words, word], {
      env: { ...process.env, EQUITOPO_STUDIO: `${studio.address}x` },
    });
    child.stdin.end(`${studio.address}x\n`);
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    expect(await once(child, "close")).toEqual([2, null]);
    // The studio was found by it, and refused a token with one letter too many.
    expect(said).toMatch(/the token must be the studio's/);
  });

  test("a reporter finds a studio that was started anew, and begins again there", async () => {
    const first = await openStudio({ page, host: "127.0.0.1", port: 0, token });
    const reporter = await openReporter(first.address, "again");
    reporter.tell(begin);
    reporter.tell(round(1));
    await vi.waitFor(() => expect(first.hub.board.sources).toHaveLength(1));
    await first.close();
    const second = await openStudio({ page, host: "127.0.0.1", port: first.port, token });
    // It looks again after two seconds, when there is something to tell.
    await vi.waitFor(
      () => {
        reporter.tell(round(2));
        expect(second.hub.board.sources[0]?.peers[1]?.round).toBe(2);
      },
      { timeout: 8000, interval: 200 },
    );
    await reporter.close();
    await second.close();
  });

  test("is told by workers of one network: they are one thing, and none of them waits", async () => {
    const spec = join(folder, "pair.json");
    const words = { topologies: [{ name: "complete", n: 2 }], algorithms: [{ name: "dsgd", learningRate: 0.1 }] };
    writeFileSync(spec, JSON.stringify({ ...words, problem: { name: "least-squares" }, rounds: 20 }));
    const hosts = join(folder, "hosts.txt");
    const ports = await Promise.all([freePort(), freePort()]);
    writeFileSync(hosts, ports.map((port) => `127.0.0.1:${port}\n`).join(""));
    const ended = await Promise.all(
      [0, 1].map((rank) => {
        const where = ["--rank", String(rank), "--hosts", hosts, "--report", studio.address];
        return once(spawn(process.execPath, [bin, "worker", spec, ...where]), "close");
      }),
    );
    expect(ended).toEqual([
      [0, null],
      [0, null],
    ]);
    const told = studio.hub.board.sources.at(-1) as LiveSource;
    expect(told).toMatchObject({ title: "2 peers", how: "peers", runs: [{ topology: { name: "complete", n: 2 } }] });
    const peers = Object.values(told.peers);
    expect(peers.map(({ state, faults }) => [state, faults?.missed])).toEqual([
      ["ended", 0],
      ["ended", 0],
    ]);
  });

  test.each([
    ["no URL", "nowhere", /must be a URL/],
    ["no token", "http://127.0.0.1:1/", /must end with its token/],
    ["nobody there", "http://127.0.0.1:1/#token=x", /a studio must answer at http:\/\/127.0.0.1:1, got "ECONNREFUSED"/],
  ])("%s: the run is refused before a folder is made", async (_, address, message) => {
    const out = join(folder, "none");
    const done = await equitopo(`run ${join(folder, "spec.json")} --out ${out} --report ${address}`);
    expect(done.status).toBe(2);
    expect(done.stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });
});
