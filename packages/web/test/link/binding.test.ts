import { InputError } from "equitopo/internal/input";
import { expect, test } from "vitest";
import { fingerprintOf } from "../../src/link/binding.ts";

const own = "a=fingerprint:sha-256 AA:BB";
const sdp = (...lines: string[]) =>
  ["v=0", ...lines, "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", ""].join("\r\n");

test("fingerprints are one however they are spelled and wherever they stand, and all of them count", () => {
  expect(fingerprintOf(sdp("a=fingerprint:SHA-256 aa:bb", own))).toBe(fingerprintOf(sdp(own)));
  expect(fingerprintOf(sdp(own, "a=fingerprint:sha-256 CC:DD"))).not.toBe(fingerprintOf(sdp(own)));
});

test.each([
  ["a line that only an engine may take for one", sdp(own, "a=fingerprint:sha-256  CC:DD")],
  ["one with more behind it", sdp(own, "a=fingerprint:sha-256 CC:DD x")],
  ["one that only this page would see, inside of another line", sdp(`a=x\r${own}`, "a=fingerprint:sha-256\tCC:DD")],
  ["one behind a line separator", sdp(`s=-\u2028${own}`)],
  ["none", sdp()],
])("a description is refused with %s: a man in the middle could show one and use another", (_, text) => {
  expect(() => fingerprintOf(text)).toThrow(InputError);
});
