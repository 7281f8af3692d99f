/**
 * A private certificate authority and certificates for peers, without any other program: X.509 v3 (RFC 5280) in DER, keys
 * on P-256, signed with ECDSA and SHA-256. Only what TLS between peers needs.
 */

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

export interface CertificateOptions {
  /** The common name: for a peer, what TlsFiles.nameOf answers for it. */
  readonly name: string;
  /** Host names and addresses it is valid for. */
  readonly hosts?: readonly string[];
  readonly from: Date;
  readonly days: number;
}

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority signs for itself; keep its key where no peer is. */
export function createAuthority(options: CertificateOptions): Certificate {
  return issue(options, options.name, undefined, [
    extension("2.5.29.19", sequence(yes), true),
    // keyCertSign and cRLSign.
    extension("2.5.29.15", Buffer.from([0x03, 0x02, 0x01, 0x06]), true),
  ]);
}

/** A peer's certificate, for both ends of a connection. `authorityName` is the name the authority was made with. */
export function createCertificate({ key }: Certificate, authorityName: string, options: CertificateOptions) {
  const hosts = (options.hosts ?? []).map((host) =>
    isIP(host) === 0 ? der(0x82, Buffer.from(host, "ascii")) : der(0x87, address(host)),
  );
  return issue(options, authorityName, createPrivateKey(key), [
    extension("2.5.29.15", Buffer.from([0x03, 0x02, 0x07, 0x80]), true),
    // serverAuth and clientAuth.
    extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2"))),
    ...(hosts.length === 0 ? [] : [extension("2.5.29.17", sequence(...hosts))]),
  ]);
}

/** Signed with `signer`, or with the new key itself where there is none. */
function issue(options: CertificateOptions, issuer: string, signer: KeyObject | undefined, extensions: Buffer[]) {
  const { name, from, days } = options;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("1.2.840.10045.4.3.2"));
  const serial = randomBytes(16);
  serial[0] = (serial[0] & 0x7f) | 0x40;
  const until = new Date(from.getTime() + days * 86_400_000);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, signer ?? privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g) as string[];
  const certificate: Certificate = {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
  return certificate;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

const yes = der(0x01, Buffer.from([0xff]));

/** 1.2.840... : the first two numbers in one byte, the others in base 128, high bits first. */
function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [40 * first + second];
  for (const number of rest) {
    const digits = [number & 127];
    for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 127) | 128);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name, "utf8")))));
}

/** UTCTime up to 2049, GeneralizedTime after, as RFC 5280 has it. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, "").slice(0, 14);
  const short = date.getUTCFullYear() < 2050;
  return der(short ? 0x17 : 0x18, Buffer.from(`${short ? digits.slice(2) : digits}Z`, "ascii"));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [yes] : []), der(0x04, value));
}

/** An IP address as its 4 or 16 bytes. A URL spells IPv6 in hexadecimal groups only, however it was written (::ffff:1.2.3.4). */
function address(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from(host.split(".").map(Number));
  const { hostname } = new URL(`http://[${host.replace(/%.*/, "")}]`);
  const halves = hostname.slice(1, -1).split("::");
  const [head, tail = []] = halves.map((half) => half.split(":").filter((group) => group !== ""));
  const all = [...head, ...new Array(8 - head.length - tail.length).fill("0"), ...tail];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
