/**
 * What options say of servers: where they listen, and their PEM texts. Types of Node are in no declaration that a program
 * reads, so that it compiles whether or not it has them.
 */

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The text of a PEM file, or its bytes as they were read. */
export type Pem = string | Uint8Array;

/** PEM: a certificate that browsers trust, and its key. */
export interface ServerTls {
  readonly cert: Pem;
  readonly key: Pem;
}

export interface TlsFiles {
  /** PEM: the private CA that signed every peer's certificate, and this peer's own. */
  readonly ca: Pem;
  readonly cert: Pem;
  readonly key: Pem;
  /** The name (CN) that a peer's certificate must carry; without it any certificate of the CA may be any peer. */
  readonly nameOf?: (rank: number) => string;
}
