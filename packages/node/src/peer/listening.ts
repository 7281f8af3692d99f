/** A server that listens; where the system does not let it, the error says where and why, as one about input. */

import type { Server } from "node:net";
import { InputError } from "equitopo";
import type { Address } from "./inlet.ts";

export async function listening(server: Server, { host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = ({ code }: NodeJS.ErrnoException) => {
      const rule = `a peer must be able to listen at its address (${reasons[code ?? ""] ?? code})`;
      reject(new InputError(rule, `${host}:${port}`, "free the port, or listen at another (a worker's --listen)"));
    };
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** What the codes of systems mean. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user may not",
  ENOTFOUND: "there is no host of that name",
};
