/** Four peers for bench/browser: tabs of one Chromium, or tabs and Node processes in turn, directed block by block. */

import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { type WebSocket, WebSocketServer } from "ws";
import { processorSeconds, spawnChromium } from "./chromium.ts";
import { type Block, n } from "./loops.ts";

export interface Network {
  /** Does a block at all peers: milliseconds a round at the slowest, and seconds of processor time of all together. */
  run(block: Block): Promise<{ readonly ms: number; readonly processor: number | undefined }>;
  close(): Promise<void>;
}

interface Peer {
  run(block: Block): Promise<number>;
}

/** Whether a rank is a tab. */
const isTab = (mode: string, rank: number): boolean => mode === "rtc" || rank % 2 === 0;

async function bundle(): Promise<string> {
  // From the compiled file.
  const entry = fileURLToPath(new URL("../../browser/tab.ts", import.meta.url));
  const result = await build({
    configFile: false,
    logLevel: "silent",
    worker: { format: "iife" },
    build: { write: false, minify: true, lib: { entry, formats: ["iife"], name: "tab" } },
  });
  const [{ output }] = [result].flat() as { output: { code: string }[] }[];
  return output[0].code;
}

export async function openNetwork(mode: "rtc" | "websocket"): Promise<Network> {
  const ranks = Array.from({ length: n }, (_, rank) => rank);
  const tabs = ranks.filter((rank) => isTab(mode, rank));
  const key = randomBytes(32);
  const peers: Peer[] = [];
  const children: ChildProcess[] = [];
  const listen: Record<number, unknown> = {};
  const ready: Promise<void>[] = [];
  for (const rank of ranks.filter((rank) => !isTab(mode, rank))) {
    const program = fileURLToPath(new URL("./node-peer.js", import.meta.url));
    const child = fork(program, [String(rank), String(tabs.length), key.toString("hex")]);
    children.push(child);
    const next = <T>() => new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)));
    listen[rank] = await next();
    ready.push(next<void>());
    peers[rank] = {
      run(block) {
        child.send(block);
        return next<number>();
      },
    };
  }

  const page = `<!doctype html><title>bench</title><script>${(await bundle()).replaceAll("</script", "<\\/script")}</script>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(page));
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const windows = new Map<number, WebSocket>();
  const working = new Promise<void>((resolve) => {
    let workers = 0;
    sockets.on("connection", (socket, request) => {
      const asked = new URL(request.url ?? "", "ws://localhost").searchParams;
      const [window, worker] = [asked.get("window"), asked.get("worker")];
      if (window !== null) {
        windows.set(Number(window), socket);
        socket.on("message", (data) => windows.get(JSON.parse(String(data)).to)?.send(String(data)));
        if (windows.size === tabs.length) for (const one of windows.values()) one.send("connect");
        return;
      }
      peers[Number(worker)] = {
        run(block) {
          socket.send(JSON.stringify(block));
          return new Promise((settle) => socket.once("message", (data) => settle(Number(data))));
        },
      };
      if (++workers === tabs.length) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await spawnChromium();
  for (const rank of tabs) {
    const control = `ws://127.0.0.1:${port}`;
    const job = JSON.stringify({ rank, mode, control, tabs, listen, key: [...key] });
    await browser.open(`http://127.0.0.1:${port}/#${encodeURIComponent(job)}`);
  }
  const late = setTimeout(() => {
    console.error("bench/browser: the peers do not connect within a minute (WebRTC needs a network besides loopback)");
    void browser.close().then(() => process.exit(1));
  }, 60_000);
  await Promise.all([working, ...ready]);
  clearTimeout(late);
  const spent = (): number => {
    const nodes = children.map(({ pid }) => processorSeconds(pid as number) ?? Number.NaN);
    return nodes.reduce((sum, one) => sum + one, browser.processorSeconds() ?? Number.NaN);
  };
  return {
    async run(block) {
      const before = spent();
      const times = await Promise.all(peers.map((peer) => peer.run(block)));
      const processor = spent() - before;
      return { ms: Math.max(...times), processor: Number.isNaN(processor) ? undefined : processor };
    },
    async close() {
      for (const child of children) child.disconnect();
      await browser.close();
      sockets.close();
      server.close();
    },
  };
}
