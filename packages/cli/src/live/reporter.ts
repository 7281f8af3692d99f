/**
 * Reports to a studio what a run does, as one long POST. The run never waits: what the studio is too slow for is left out
 * (the next report of a peer's round replaces the last, and a curve has other points). If the studio is gone, the run goes
 * on, and connects again when the studio is back.
 */

import { existsSync, statSync } from "node:fs";
import { type ClientRequest, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { encodeLive, type LiveEvent } from "@equitopo/web";
import { InputError } from "equitopo";
import { firstLine, readNamed } from "../input/file.ts";

export type Reporter = Awaited<ReturnType<typeof openReporter>>;

/** Bytes that may wait: beyond the first, reports of progress are left out, and beyond the second all are. */
const [backlog, most] = [1 << 20, 1 << 22];
const progress = ["round", "share", "faults", "metrics"];
/** Milliseconds: to answer at the start, between two attempts to find a studio again, to say the last words. */
const [toAnswer, toRetry, toEnd] = [5000, 2000, 1000];

const variable = "EQUITOPO_STUDIO";

/**
 * The address that a word of --report or --watch means. Its token lets others in, and every user of the machine can read the
 * words of a command: so it may also be in a file, in the environment ("env") or on stdin ("-").
 */
export async function addressIn(word: string, option: string): Promise<string> {
  if (word === "-") return firstLine(`--${option}`);
  if (word === "env") {
    const found = process.env[variable];
    if (found) return found;
    throw new InputError(`--${option} env needs ${variable}`, "nothing", "set it to what equitopo studio printed");
  }
  // existsSync answers where statSync would throw: for a word too long for a file, or a folder that may not be read.
  if (!existsSync(word) || !statSync(word).isFile()) return word;
  return readNamed(word, "the studio's address must be readable").toString("utf8").trim();
}

/** What `equitopo studio` printed, taken apart. */
export function studioAddress(text: string, option: string) {
  const remedy = `try --${option} 'http://127.0.0.1:4263/#token=...' as equitopo studio prints it`;
  if (!URL.canParse(text)) throw new InputError("the studio's address must be a URL", text, remedy);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InputError("the studio's address must begin with http: or https:", text, remedy);
  }
  const token = new URLSearchParams(url.hash.slice(1)).get("token");
  if (!token) throw new InputError("the studio's address must end with its token", text, remedy);
  return { url: new URL("/api/live", url), token };
}

/** Whether `--report` means a studio, and not a launcher's socket. */
export const isStudio = (text: string) => /^https?:/.test(text);

/** Refuses an address at which no studio answers; from then on nothing that happens there matters to the run. */
export async function openReporter(text: string, source: string) {
  const address = studioAddress(text, "report");
  await greet(address);
  let begun: (LiveEvent & { kind: "begin" }) | undefined;
  let open: ClientRequest | undefined;
  let last = 0;
  const connect = () => {
    last = performance.now();
    const request = post(address);
    open = request;
    // An answer, even a good one, means that the studio does not listen any longer.
    for (const end of ["response", "error", "close"] as const) {
      request.on(end, () => {
        if (open === request) open = undefined;
      });
    }
    if (begun !== undefined) request.write(encodeLive({ source, event: begun }));
  };
  return {
    tell(event: LiveEvent): void {
      if (event.kind === "begin") begun = event;
      if (open === undefined) {
        if (last > 0 && performance.now() - last < toRetry) return;
        connect();
        if (event.kind === "begin") return;
      }
      const room = progress.includes(event.kind) ? backlog : most;
      if (open !== undefined && open.writableLength <= room) open.write(encodeLive({ source, event }));
    },
    /** Says what is still to be said, for a second at most. */
    async close(): Promise<void> {
      const request = open;
      if (request === undefined) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, toEnd);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        request.once("response", done).once("close", done);
        request.end();
      });
      request.destroy();
    },
  };
}

function post({ url, token }: ReturnType<typeof studioAddress>): ClientRequest {
  const request = (url.protocol === "https:" ? secureRequest : plainRequest)(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    agent: false,
  });
  request.on("response", (response) => response.resume());
  // A run ends when its work is done, even if a studio still listens.
  request.on("socket", (socket) => socket.unref());
  return request;
}

/** One empty report: is there a studio, and does it take the token? */
async function greet(address: ReturnType<typeof studioAddress>): Promise<void> {
  const status = await new Promise<number | string>((resolve) => {
    const request = post(address);
    const timer = setTimeout(() => resolve("no answer"), toAnswer);
    request.once("response", ({ statusCode = 0 }) => resolve(statusCode));
    request.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.once("close", () => clearTimeout(timer));
    request.end();
  });
  if (status === 204) return;
  if (status === 403) {
    throw new InputError("the token must be the studio's", status, "copy the address from where equitopo studio runs");
  }
  throw new InputError(`a studio must answer at ${address.url.origin}`, status, "start equitopo studio first");
}
