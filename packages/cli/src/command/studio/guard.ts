/**
 * Who may ask a studio for more than its page. A studio listens where any web page that is open on the same machine can
 * send requests to, so three things are looked at:
 *
 *   Host           a number, localhost or this machine's name: a foreign name that points here is a rebinding attack
 *   Origin         none (no page asks) or this very studio: other pages are refused
 *   Authorization  the token, which only the printed address has, in its fragment: that part is never sent by itself
 */

import { isIP } from "node:net";
import { sameSecret } from "@equitopo/web/internal";

export interface Asking {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

export interface Gate {
  readonly token: string;
  /** Names beside localhost that this machine goes by. */
  readonly names: readonly string[];
}

/** Why the request is refused; undefined where it is welcome. */
export function refusal({ host = "", origin, authorization = "" }: Asking, { token, names }: Gate): string | undefined {
  const name = nameOf(host);
  if (name === undefined || !(isIP(name) !== 0 || ["localhost", ...names].includes(name))) {
    return "the Host must be this machine";
  }
  if (origin !== undefined && origin !== `http://${host}`) return "the Origin must be this studio";
  if (!sameSecret(authorization, `Bearer ${token}`)) return "the token must be the one that equitopo studio printed";
  return undefined;
}

/** Of host, host:port or [IPv6]:port. */
function nameOf(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d+)?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
