/**
 * Which connections a room's server accepts, before it reads a message: requests must be meant for it (Host: a page elsewhere
 * whose name was pointed at this machine is found out), sockets of pages must come from its own page (Origin), and nobody
 * may open more of them, or say more in a second, than a member has reason to.
 */

import type { IncomingMessage } from "node:http";
import { hostInUrl } from "../server/listen.ts";

/** `names`: the hosts under which it may be spoken to. */
export function admissionTo(names: readonly string[], port: number, scheme: "http" | "https", size: number) {
  const usual = scheme === "http" ? 80 : 443;
  const hosts = new Set(
    names.flatMap((host) => {
      const name = hostInUrl(host).toLowerCase();
      return port === usual ? [name, `${name}:${port}`] : [`${name}:${port}`];
    }),
  );
  // All seats may be tabs of one machine, some of them just being reloaded.
  const most = 2 * size + 16;
  const open = new Map<string, number>();
  let all = 0;
  /** Whether a request is meant for this server. */
  const meant = ({ headers }: IncomingMessage) => hosts.has(headers.host?.toLowerCase() ?? "");
  const isOwn = ({ protocol, host }: URL) => protocol === `${scheme}:` && hosts.has(host);
  return {
    meant,

    /** Why a socket is not opened; undefined where it may be. Programs that are no browsers send no Origin. */
    refusal(request: IncomingMessage): "host" | "origin" | "crowd" | undefined {
      if (!meant(request)) return "host";
      const { origin } = request.headers;
      if (origin !== undefined && !(URL.canParse(origin) && isOwn(new URL(origin)))) return "origin";
      const here = open.get(request.socket.remoteAddress ?? "") ?? 0;
      return here >= most || all >= 4 * most ? "crowd" : undefined;
    },

    /** Counts a socket until the answer is called. */
    enter(request: IncomingMessage): () => void {
      const address = request.socket.remoteAddress ?? "";
      open.set(address, (open.get(address) ?? 0) + 1);
      all++;
      return () => {
        all--;
        const left = (open.get(address) ?? 1) - 1;
        if (left === 0) open.delete(address);
        else open.set(address, left);
      };
    },
  };
}

/** A token bucket: `burst` messages at once, `perSecond` from then on. Spends one; false where none is left. Milliseconds. */
export function allowance(burst: number, perSecond: number, start: number): (now: number) => boolean {
  let [left, since] = [burst, start];
  return (now) => {
    left = Math.min(burst, left + ((now - since) / 1000) * perSecond);
    since = now;
    if (left < 1) return false;
    left--;
    return true;
  };
}
