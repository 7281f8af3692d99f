/** Which hosts are this very machine: the only ones that may be spoken to without TLS. */

/** Of a host as URLs write it: IPv6 in brackets or without. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(bare);
}

/** Whether a WebSocket may be opened to that address: through TLS, or on this very machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "wss:" || (protocol === "ws:" && isLoopbackHost(hostname));
}
