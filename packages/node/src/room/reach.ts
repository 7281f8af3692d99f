/**
 * Where a member of a room may say that it listens: at the address from which it speaks to the room's server, and at no port
 * below 1024. All others dial what it says, so it could have them knock at anybody's door. What may not be said is left out:
 * those that would have dialled it meet it by data channel or through the relay.
 */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopback } from "../server/listen.ts";

/** Where a Node peer can be reached without the server's help. */
interface Listening {
  readonly websocket?: string;
  readonly tcp?: { readonly host: string; readonly port: number };
}

const leastPort = 1024;

/** At once where hosts are numbers; by what this machine takes their names for where they are names. */
export function ownPlaces({ websocket, tcp }: Listening, remote: string): Listening | Promise<Listening> {
  const url = websocket === undefined ? undefined : new URL(websocket);
  const usual = url?.protocol === "wss:" ? 443 : 80;
  const page = url && { host: url.hostname, port: Number(url.port || usual) };
  const hosts = [page, tcp].flatMap((place) => place?.host ?? []);
  const kept = (own: (host: string) => boolean): Listening => {
    const may = (place: typeof tcp) => place !== undefined && place.port >= leastPort && own(place.host);
    return { ...(may(page) ? { websocket } : {}), ...(may(tcp) ? { tcp } : {}) } as Listening;
  };
  if (hosts.every(isNumber)) return kept((host) => isSame(host, remote));
  const found = hosts.map(async (host) => {
    const all = await lookup(bare(host), { all: true }).catch(() => []);
    return all.some(({ address }) => isSame(address, remote)) ? [host] : [];
  });
  return Promise.all(found).then((own) => kept((host) => own.flat().includes(host)));
}

const bare = (host: string) => host.replace(/^\[|\]$/g, "").replace(/^::ffff:/, "");
const isNumber = (host: string) => isIP(bare(host)) !== 0 || isLoopback(host);
/** All loopback addresses are this very machine. */
const isSame = (host: string, remote: string) =>
  bare(host) === bare(remote) || (isLoopback(bare(host)) && isLoopback(bare(remote)));
