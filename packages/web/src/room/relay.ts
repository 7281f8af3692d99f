/**
 * The relay's way for a pair that cannot be connected otherwise: binary messages through the room's server, each with 8
 * bytes before it,
 *
 *     to: rank, epoch    from: rank, epoch          16 bits each, little-endian
 *
 * The server looks at these only, and puts its own knowledge of the sender in their place; what follows is sealed by the
 * two peers. A message for an epoch that is over is dropped.
 */

export const addressBytes = 8;

export interface Stand {
  readonly rank: number;
  readonly epoch: number;
}

/** One message with its address before it. O(bytes): it is copied. */
export function addressed(to: Stand, from: Stand, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(addressBytes + body.length);
  bytes.set(body, addressBytes);
  readdress(bytes, to, from);
  return bytes;
}

/** Writes an address over the first bytes. */
export function readdress(bytes: Uint8Array, to: Stand, from: Stand): void {
  [to.rank, to.epoch, from.rank, from.epoch].forEach((value, k) => {
    bytes[2 * k] = value & 0xff;
    bytes[2 * k + 1] = value >> 8;
  });
}

/** To whom and from whom; undefined where it is too short to say. */
export function addressOf(bytes: Uint8Array): { readonly to: Stand; readonly from: Stand } | undefined {
  if (bytes.length < addressBytes) return undefined;
  const [a, b, c, d] = [0, 2, 4, 6].map((at) => bytes[at] | (bytes[at + 1] << 8));
  return { to: { rank: a, epoch: b }, from: { rank: c, epoch: d } };
}
