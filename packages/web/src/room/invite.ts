/**
 * The link that lets somebody into a room:
 *
 *     http://127.0.0.1:8117/join#room=<16 bytes>&key=<32 bytes>        both in base64url
 *
 * What follows the # is never sent to a server by a browser. So the server learns the room's name and, as a proof that a
 * visitor has the key, SHA-256("room" key), but never the key, with which peers recognise each other and seal what goes
 * through the relay. Plain http is for this machine only: elsewhere anybody between server and browser could replace the page.
 */

import { InputError } from "equitopo";
import { fromBase64url, sha256, toBase64url } from "equitopo/number";
import { isLoopbackHost } from "../link/binding.ts";

export interface Invite {
  /** Where page, signalling and relay are served: scheme, host and port. */
  readonly origin: string;
  /** The room's name, in base64url. */
  readonly room: string;
  readonly key: Uint8Array<ArrayBuffer>;
}

export const [roomBytes, keyBytes] = [16, 32];

/**
 * The link of an invite.
 *
 * @example
 * ```ts
 * import { inviteLink, parseInvite } from "@equitopo/web";
 * const room = "AAECAwQFBgcICQoLDA0ODw";
 * const link = inviteLink({ origin: "http://127.0.0.1:8117", room, key: new Uint8Array(32) });
 * link.slice(0, 58) // => "http://127.0.0.1:8117/join#room=AAECAwQFBgcICQoLDA0ODw&key"
 * parseInvite(link).room // => "AAECAwQFBgcICQoLDA0ODw"
 * ```
 */
export function inviteLink({ origin, room, key }: Invite): string {
  return parseInvite(`${origin}/join#room=${room}&key=${toBase64url(key)}`).link;
}

/** What a link says; refuses what is no invite. */
export function parseInvite(link: string): Invite & { readonly link: string } {
  const refuse = (rule: string, remedy = "copy the whole link"): never => {
    // The key is a secret: an error is no place for it.
    throw new InputError(rule, link.replace(/key=.*/, "key=..."), remedy);
  };
  if (typeof link !== "string" || link.length > 1000 || !URL.canParse(link)) {
    return refuse("an invite is a link", "copy the whole link that equitopo serve printed");
  }
  const { protocol, hostname, origin, pathname, hash, username, search } = new URL(link);
  if (!/^https?:$/.test(protocol) || pathname !== "/join" || username !== "" || search !== "") {
    return refuse("an invite has the form http(s)://HOST:PORT/join#room=...&key=...");
  }
  if (protocol === "http:" && !isLoopbackHost(hostname)) {
    return refuse(
      "plain http is for this machine: anybody on the way could read and change it",
      "serve it with --tls DIR",
    );
  }
  const words = new URLSearchParams(hash.slice(1));
  const room = words.get("room") ?? "";
  const key = fromBase64url(words.get("key") ?? "");
  if (fromBase64url(room)?.length !== roomBytes) return refuse(`room is ${roomBytes} bytes in base64url`);
  if (key?.length !== keyBytes) return refuse(`key is ${keyBytes} bytes in base64url`);
  return { origin, room, key, link: `${origin}/join#room=${room}&key=${toBase64url(key)}` };
}

/** Where the room's server takes messages. */
export function signalUrl({ origin }: Pick<Invite, "origin">): string {
  return `${origin.replace(/^http/, "ws")}/signal`;
}

/** What shows the server that somebody has the key, and tells it nothing about it: SHA-256("room" key), in hexadecimal. */
export function roomProof(key: Uint8Array): string {
  return sha256(Uint8Array.of(...new TextEncoder().encode("room"), ...key));
}
