/**
 * Who may speak to a room's server at all, before a word is read: requests must be meant for it (Host: a page elsewhere
 * whose name was pointed at this machine is found out), sockets of pages must come from its own page (Origin), and nobody
 * may open more of them, or say more in a second, than a member has reason to.
 */

import type { IncomingMessage } from "node:http";

export class Admission {
  /** host:port under which it may be spoken to. */
  readonly #hosts: ReadonlySet<string>;
  readonly #scheme: "http" | "https";
  readonly #most: number;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(hosts: readonly string[], port: number, scheme: "http" | "https", size: number) {
    const usual = scheme === "http" ? 80 : 443;
    this.#hosts = new Set(
      hosts.flatMap((host) => {
        const name = host.includes(":") ? `[${host}]` : host.toLowerCase();
        return port === usual ? [name, `${name}:${port}`] : [`${name}:${port}`];
      }),
    );
    this.#scheme = scheme;
    // All seats may be tabs of one machine, some of them just being reloaded.
    this.#most = 2 * size + 16;
  }

  /** Whether a request is meant for this server. */
  meant({ headers }: IncomingMessage): boolean {
    return this.#hosts.has(headers.host?.toLowerCase() ?? "");
  }

  /** Why a socket is not opened; undefined where it may be. Programs that are no browsers send no Origin. */
  refusal(request: IncomingMessage): "host" | "origin" | "crowd" | undefined {
    if (!this.meant(request)) return "host";
    const { origin } = request.headers;
    const own = origin === undefined || (URL.canParse(origin) && this.#isOwn(new URL(origin)));
    if (!own) return "origin";
    const address = request.socket.remoteAddress ?? "";
    const here = this.#open.get(address) ?? 0;
    if (here >= this.#most || this.#all >= 4 * this.#most) return "crowd";
    return undefined;
  }

  #isOwn({ protocol, host }: URL): boolean {
    return protocol === `${this.#scheme}:` && this.#hosts.has(host);
  }

  /** Counts a socket until the answer is called. */
  enter(request: IncomingMessage): () => void {
    const address = request.socket.remoteAddress ?? "";
    this.#open.set(address, (this.#open.get(address) ?? 0) + 1);
    this.#all++;
    return () => {
      this.#all--;
      const left = (this.#open.get(address) ?? 1) - 1;
      if (left === 0) this.#open.delete(address);
      else this.#open.set(address, left);
    };
  }
}

/** What may be said: so much at once, and so much a second from then on (a token bucket). */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #since: number;

  constructor(burst: number, perSecond: number, now: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#since = now;
  }

  /** Spends one; false where there is none left. Milliseconds. */
  spend(now: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#since) / 1000) * this.#perSecond);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
