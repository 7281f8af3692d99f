/**
 * The studio's server:
 *
 *     GET  /                     the page, to anyone: it is the same for all and holds nothing
 *     GET  /views.js, ...        the scripts that it fetches when somebody asks for them, likewise
 *     GET  /api/runs             the runs of the folder, with their files       } only past the gate (guard.ts)
 *     GET  /api/runs/RUN/FILE    one of these files                             }
 *     GET  /api/live             the live stream, as server-sent events         }
 *     POST /api/live             lines for it, for as long as the sender likes  }
 *
 * Whatever is asked, the server goes on: what cannot be answered is refused, and how much it keeps of anyone is bounded.
 */

import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { closeServer, listening, policyOf, safeHeaders } from "@equitopo/node/internal";
import { decodeLive } from "@equitopo/web";
import { showAddress } from "../../peers/hosts.ts";
import { listedPath, listRuns } from "./folder.ts";
import { refusal } from "./guard.ts";
import { type Hub, openHub } from "./hub.ts";

export interface StudioOptions {
  /** The page's HTML. */
  readonly page: string;
  /** What the page fetches, by name. */
  readonly scripts?: Readonly<Record<string, Uint8Array>>;
  readonly folder?: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly token: string;
}

export interface Studio {
  /** With the token in its fragment: for the browser, and for `--report`. */
  readonly address: string;
  readonly port: number;
  readonly hub: Hub;
  close(): Promise<void>;
}

/** Letters of one line of a report. */
const longestLine = 1 << 22;
/** Connections at once, and the milliseconds that the head of a request may take. */
const [mostConnections, headTime] = [1024, 10_000];

export async function openStudio({ page, scripts = {}, folder, host, port, token }: StudioOptions): Promise<Studio> {
  const hub = openHub();
  const gate = { token, names: [hostname().toLowerCase(), host.toLowerCase()] };
  const policy = policyOf(page);
  const html = Buffer.from(page);
  const open = new Map([
    ["/", html],
    ["/index.html", html],
  ]);
  for (const [name, script] of Object.entries(scripts)) open.set(`/${name}`, Buffer.from(script));
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    const [pathname] = (request.url ?? "/").split("?");
    const found = open.get(pathname);
    if (request.method === "GET" && found !== undefined) {
      if (found === html) response.setHeader("content-security-policy", policy);
      answer(response, 200, `text/${found === html ? "html" : "javascript"}; charset=utf-8`, found);
      return;
    }
    const why = refusal(request.headers, gate);
    if (why !== undefined) {
      // What is still being sent is not read.
      response.setHeader("connection", "close");
      answer(response, 403, plain, `${why}\n`);
    } else if (pathname === "/api/live") live(request, response, hub);
    else if (request.method === "GET") files(pathname, response, folder);
    else answer(response, 405, plain, "only GET\n");
  };
  const server = createServer({ requestTimeout: 0, headersTimeout: headTime }, (request, response) => {
    try {
      handle(request, response);
    } catch (error) {
      // The folder may have been moved, or may not be readable.
      const { code = "an error" } = error as NodeJS.ErrnoException;
      if (response.headersSent) response.destroy();
      else answer(response, 500, plain, `this cannot be answered (${code})\n`);
    }
  });
  server.maxConnections = mostConnections;
  const remedy = "choose another --host or --port, or leave them out";
  await listening(server, { host, port }, "the port must be free, and the host this machine's", remedy);
  // A connection that could not be taken (no more files) is nobody's end but its own.
  server.on("error", () => {});
  const { port: found } = server.address() as AddressInfo;
  // The page of a server that listens on all addresses is opened at this machine's loopback address.
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    address: `http://${showAddress({ host: name, port: found })}/#token=${token}`,
    port: found,
    hub,
    async close() {
      hub.close();
      await closeServer(server);
    },
  };
}

const plain = "text/plain; charset=utf-8";

function answer(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}

function files(pathname: string, response: ServerResponse, folder: string | undefined): void {
  if (pathname === "/api/runs") {
    const runs = folder === undefined ? [] : listRuns(folder);
    answer(response, 200, "application/json", JSON.stringify({ runs }));
    return;
  }
  const [run, file] = (/^\/api\/runs\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []).slice(1).map(decoded);
  const path = folder === undefined || !run || !file ? undefined : listedPath(folder, run, file);
  if (path === undefined) {
    answer(response, 404, plain, "no such file\n");
    return;
  }
  const bytes = createReadStream(path);
  bytes.once("error", () => {
    if (!response.headersSent) answer(response, 404, plain, "no such file\n");
  });
  bytes.once("open", () => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    pipeline(bytes, response, () => {});
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function live(request: IncomingMessage, response: ServerResponse, hub: Hub): void {
  if (request.method === "GET") {
    if (hub.full) answer(response, 503, plain, "too many watch already\n");
    else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      hub.add(response);
    }
    return;
  }
  if (request.method !== "POST") {
    answer(response, 405, plain, "only GET and POST\n");
    return;
  }
  const refuse = (error: unknown) => {
    if (!response.headersSent) answer(response, 400, plain, `${(error as Error).message}\n`);
    request.destroy();
  };
  // A sender that goes away in the middle of a line has said nothing wrong.
  request.on("error", () => {});
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    const end = chunk.lastIndexOf(10);
    length = end < 0 ? length + chunk.length : chunk.length - end;
    if (length > longestLine) refuse(new Error("a line must be shorter"));
  });
  const lines = createInterface({ input: request });
  // It passes on the error of its input as one of its own.
  lines.on("error", () => {});
  lines.on("line", (line) => {
    if (line === "" || response.headersSent) return;
    try {
      hub.take(decodeLive(line));
    } catch (error) {
      refuse(error);
    }
  });
  lines.on("close", () => {
    if (!response.headersSent) response.writeHead(204).end();
  });
}
