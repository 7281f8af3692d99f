/**
 * A certificate: what is claimed of a topology, with all that is needed to build it again.
 * Verifying is deriving: the topology is built from its options and every claimed number computed anew. The checksum
 * adds nothing to the proof; it shows that a file was edited.
 */

import { createHash } from "node:crypto";
import { createTopology, InputError, type Rate, type Topology, topologies } from "equitopo";
import { optionsOf as familyOptions } from "equitopo/internal/topology";
import { type Description, describe } from "./description.ts";
import { type DesignClaim, designRefutations } from "./design-claim.ts";
import { differences } from "./differences.ts";

const FORMAT = "equitopo-certificate";
const VERSION = 1;

/** The keys that are about the file, or claims beyond what is said of every topology. */
const APART = ["format", "version", "sha256", "design"];

export interface Certificate extends Description {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly sha256: string;
  /** What a search found out about the design: multipliers, bounds. */
  readonly design?: DesignClaim;
}

/** What `rate --certificate` and `design --certificate` write. O(what the rate costs). */
export function certify(topology: Topology, design?: DesignClaim): Certificate {
  // Built again from the spec, so that nothing is claimed that the spec does not give (a rho that was only asked for).
  const again = createTopology(topology.spec);
  const claimed = {
    format: FORMAT,
    version: VERSION,
    ...describe(again, again.rate()),
    ...(design === undefined ? {} : { design }),
  } as const;
  return { ...claimed, sha256: checksum(claimed) };
}

/** The certificate in a text; an error where it is none. */
export function parseCertificate(text: string): Certificate {
  const remedy = "write one with `equitopo rate ... --certificate FILE`";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`a certificate must be JSON (${(error as Error).message})`, text.slice(0, 40), remedy);
  }
  // If a key is there twice, the parser takes the last, but a person who reads the file believes the first.
  if (text.replace(STRING, "").split(":").length - 1 !== keysIn(value)) {
    throw new InputError("a certificate must have every key once", "a key that is there twice", remedy);
  }
  const certificate = (typeof value === "object" && value !== null ? value : {}) as Certificate;
  const { format, version, topology, n, rate } = certificate;
  if (format !== FORMAT) throw new InputError(`a certificate must have the format "${FORMAT}"`, format, remedy);
  if (version !== VERSION) {
    throw new InputError(`the version of a certificate must be ${VERSION}`, version, "use the equitopo that wrote it");
  }
  if (typeof topology !== "string") throw new InputError("topology must be a name", topology, remedy);
  topologies.get(topology);
  if (typeof n !== "number") throw new InputError("n must be a number", n, remedy);
  if (typeof rate !== "number") throw new InputError("rate must be a number", rate, remedy);
  return certificate;
}

/** A string of JSON, which may have colons in it. */
const STRING = /"(?:[^"\\]|\\.)*"/g;

function keysIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + keysIn(inner), own);
}

/** What does not hold; nothing where the certificate is true. */
export function refutations(certificate: Certificate): string[] {
  const { topology: name, n } = certificate;
  let topology: Topology;
  let rate: Rate;
  let derived: Description;
  try {
    topology = createTopology({ ...optionsOf(certificate), name, n });
    rate = topology.rate();
    derived = describe(topology, rate);
  } catch (error) {
    if (error instanceof InputError) return [`it describes no topology: ${error.message}`];
    throw error;
  }
  const claims = Object.fromEntries(Object.entries(certificate).filter(([key]) => !APART.includes(key)));
  // Closed forms differ by rounding between machines; an iteration by its certified error, which comes out of rounding
  // itself. All other numbers are what the topology was built from, or counted.
  const { error } = rate;
  const slackOf = (key: string) => {
    if (key === "error") return 0.01 * (error ?? 0);
    return key in rate ? 1e-12 + (error === undefined ? 0 : 1e-10 + error) : 0;
  };
  const wrong = differences(claims, derived, slackOf);
  if ("design" in certificate) wrong.push(...designRefutations(topology, certificate.design));
  const { sha256, ...rest } = certificate;
  if (sha256 === undefined) wrong.push("sha256 is missing");
  else if (sha256 !== checksum(rest)) wrong.push("it was edited after it was written (sha256)");
  return wrong;
}

/** What the file says that its topology takes; a key that is neither an option nor said of topologies stays, and is refused. */
function optionsOf(certificate: Certificate): Record<string, unknown> {
  const options = familyOptions(topologies.get(certificate.topology), certificate);
  return Object.fromEntries(
    Object.entries(certificate).filter(([key]) => Object.hasOwn(options, key) && !SAID.has(key)),
  );
}

/** Words that describe() has a meaning of its own for. */
const SAID = new Set(["topology", "n", "rate", "bound", "degree", "period"]);

/** SHA-256 of the JSON with its keys in order, so that spaces and the order of keys do not count. */
function checksum(certificate: object): string {
  const entries = Object.entries(certificate).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("hex");
}
