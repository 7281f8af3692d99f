/** Why a peer could not be reached, in words, with what to do about it: by the codes that Node and OpenSSL give. Pure. */

export class Trouble extends Error {
  readonly remedy: string;

  constructor(detail: string, remedy: string) {
    super(detail);
    this.remedy = remedy;
  }
}

const codeOf = (error: unknown) => (error as { readonly code?: string }).code;

export function nameTrouble(host: string, error: unknown): Trouble {
  const code = codeOf(error);
  const why = code === "EAI_AGAIN" ? "the name service does not answer" : "the name is not known here";
  return new Trouble(`${why} (${code ?? "no answer"})`, `add ${host} to DNS or /etc/hosts, or name its address`);
}

export function connectTrouble(error: unknown, milliseconds: number): Trouble {
  switch (codeOf(error)) {
    case undefined: {
      const seconds = `${milliseconds / 1000} s`;
      return new Trouble(`no answer within ${seconds}`, "is the host up, and does a firewall let this port through?");
    }
    case "ECONNREFUSED":
      return new Trouble("refused: nobody listens there (ECONNREFUSED)", "start its worker, or check the port");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new Trouble(`no way there (${codeOf(error)})`, "check the address, the routes and the firewall");
    default:
      return new Trouble(`cannot be connected to (${codeOf(error)})`, "check the address");
  }
}

const oneInit = "copy ca.pem and the certificates of one init";

/** What ends a TLS handshake, or the first words after it, by its code. */
const handshakes: readonly (readonly [code: RegExp, detail: string, remedy: string])[] = [
  [
    /UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_REQUIRED|CERTIFICATE_UNKNOWN|DECRYPT_ERROR/,
    "does not trust this host's certificate",
    oneInit,
  ],
  [/CERTIFICATE_EXPIRED/, "says this host's certificate has expired", "run cluster init again, or set the clocks"],
  [
    /WRONG_VERSION_NUMBER|ECONNRESET|PACKET_LENGTH|no answer|SSL3?_GET_RECORD/,
    "does not speak TLS",
    "start its worker with --tls, or leave --tls out here",
  ],
];

export function handshakeTrouble(error: unknown): Trouble {
  const code = codeOf(error) ?? "no answer";
  const [, detail, remedy] = handshakes.find(([pattern]) => pattern.test(code)) ?? [
    0,
    "TLS fails",
    "compare the versions of Node at both ends",
  ];
  return new Trouble(`${detail} (${code})`, remedy);
}

interface Shown {
  /** Why Node does not believe the certificate; undefined where it does. */
  readonly reason: string | undefined;
  readonly certificate: { readonly subject?: { readonly CN?: string | string[] }; readonly valid_to?: string };
  /** The name that it must carry. */
  readonly name: string | undefined;
}

/** Whether what a peer has shown is its own certificate, of the authority known here, and in force. */
export function certificateTrouble({ reason, certificate, name }: Shown): Trouble | undefined {
  if (reason !== undefined) {
    if (/EXPIRED/.test(reason)) {
      const when = certificate.valid_to === undefined ? "" : ` on ${certificate.valid_to}`;
      return new Trouble(`its certificate has expired${when}`, "run cluster init again and copy the new files");
    }
    if (/NOT_YET_VALID/.test(reason)) {
      return new Trouble("its certificate is not in force yet", "set the clocks of both hosts");
    }
    return new Trouble(`its certificate is of another authority (${reason})`, oneInit);
  }
  const shown = String(certificate.subject?.CN ?? "nobody");
  if (name === undefined || shown === name) return undefined;
  return new Trouble(`its certificate is that of ${shown}, not of ${name}`, "copy each host its own .pem and .key");
}
