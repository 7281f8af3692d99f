/** `hierarchy: { groups: by host }` where the command line knows the hosts: from a hosts file, or because all are here. */

import { InputError, type SpecDocument } from "equitopo";
import { byHost, withHosts } from "equitopo/internal/run";
import { readHosts } from "./hosts.ts";

/** An empty file is null, which is no spec: the check of specs says so. */
export const isByHost = (document: SpecDocument | null): boolean => document?.hierarchy?.groups === byHost;

/** The document with the groups of a hosts file; as it is where it asks for none, or there is no file. */
export function withHostsFile(document: SpecDocument, file: string | undefined): SpecDocument {
  if (!isByHost(document) || file === undefined) return document;
  const hosts = readHosts(file).map(({ host }) => host);
  return withHosts(document, hosts);
}

/** The document for peers that all run on this machine: one group of all. */
export function withOneHost(document: SpecDocument): SpecDocument {
  if (!isByHost(document)) return document;
  const { topologies = [], runs = [] } = document;
  const sizes = new Set([...topologies, ...runs.map(({ topology }) => topology)].map((topology) => topology.n));
  const [n] = sizes;
  if (sizes.size !== 1 || n === undefined) {
    throw new InputError("groups by host are for one n", [...sizes].join(), "make a spec for each n");
  }
  return withHosts(document, new Array<string>(n).fill("this machine"));
}
