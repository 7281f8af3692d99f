/**
 * The studio's server:
 *
 *     GET  /                     the page, to anyone: it is the same for all and holds nothing
 *     GET  /views.js, ...        the scripts that it fetches when somebody asks for them, likewise
 *     GET  /api/runs             the runs of the folder, with their files       } only past the gate (guard.ts)
 *     GET  /api/runs/RUN/FILE    one of these files                             }
 *     GET  /api/live             the live stream, as server-sent events         }
 *     POST /api/live             lines for it, for as long as the sender likes  }
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { decodeLive } from "@equitopo/web";
import { InputError } from "equitopo";
import { showAddress } from "../../peers/hosts.ts";
import { listRuns, readListed } from "./folder.ts";
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

export async function openStudio({ page, scripts = {}, folder, host, port, token }: StudioOptions): Promise<Studio> {
  const hub = openHub();
  const gate = { token, names: [hostname().toLowerCase(), host.toLowerCase()] };
  const policy = policyOf(page);
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? "/", "http://studio");
    if (request.method === "GET" && (pathname === "/" || pathname === "/index.html")) {
      response.setHeader("content-security-policy", policy);
      answer(response, 200, "text/html; charset=utf-8", page);
      return;
    }
    const script = pathname.slice(1);
    if (request.method === "GET" && Object.hasOwn(scripts, script)) {
      answer(response, 200, "text/javascript; charset=utf-8", scripts[script]);
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
  });
  await listening(server, host, port);
  const { port: found } = server.address() as AddressInfo;
  // The page of a server that listens on all addresses is opened at this machine's loopback address.
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    address: `http://${showAddress({ host: name, port: found })}/#token=${token}`,
    port: found,
    hub,
    async close() {
      hub.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const plain = "text/plain; charset=utf-8";

const common: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** The page's own policy, and what a page cannot say of itself: nobody may frame it. */
function policyOf(page: string): string {
  const own = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'";
  return `${own}; frame-ancestors 'none'`;
}

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
  const bytes = folder === undefined || !run || !file ? undefined : readListed(folder, run, file);
  if (bytes === undefined) answer(response, 404, plain, "no such file\n");
  else answer(response, 200, "application/octet-stream", bytes);
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
    response.writeHead(200, { "content-type": "text/event-stream" });
    hub.add(response);
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

async function listening(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const where = showAddress({ host, port });
    if (code === "EADDRINUSE") {
      throw new InputError("the port must be free", where, "choose another --port, or leave it out");
    }
    throw new InputError(
      `this machine must be able to listen there (${code})`,
      where,
      "choose another --host or --port",
    );
  }
}
