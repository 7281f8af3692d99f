import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { inviteLink, parseInvite, roomProof, signalUrl } from "../../src/room/invite.ts";

const room = "AAECAwQFBgcICQoLDA0ODw";
const key = Uint8Array.from({ length: 32 }, (_, k) => 7 * k);
const tail = "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tk";

describe("an invite", () => {
  it.each(["http://127.0.0.1:8117", "http://localhost:1", "http://[::1]:8080", "https://node-0:8117"])(
    "from %s is what it was made of",
    (origin) => {
      const link = inviteLink({ origin, room, key });
      expect(link).toBe(`${origin}/join#room=${room}&key=${tail}`);
      expect(parseInvite(link)).toEqual({ origin, room, key, link });
      expect(signalUrl({ origin })).toBe(`${origin.replace("http", "ws")}/signal`);
    },
  );

  it.each([
    ["", /an invite is a link/],
    ["room=1", /an invite is a link/],
    [`http://127.0.0.1/other#room=${room}&key=${tail}`, /has the form/],
    [`ftp://127.0.0.1/join#room=${room}&key=${tail}`, /has the form/],
    [`http://user@127.0.0.1/join#room=${room}&key=${tail}`, /has the form/],
    [`http://127.0.0.1/join?room=${room}&key=${tail}`, /has the form/],
    [`http://10.0.0.5/join#room=${room}&key=${tail}`, /plain http is for this machine/],
    [`http://127.0.0.1.example.org/join#room=${room}&key=${tail}`, /plain http is for this machine/],
    [`https://host/join#key=${tail}`, /room is 16 bytes/],
    [`https://host/join#room=${room}A&key=${tail}`, /room is 16 bytes/],
    [`https://host/join#room=${room}&key=${tail.slice(1)}`, /key is 32 bytes/],
    [`https://host/join#room=${room}&key=${tail.slice(1)}+`, /key is 32 bytes/],
    [`https://host/join#room=${room}&key=${"A".repeat(2000)}`, /an invite is a link/],
  ])("is refused: %s", (link, message) => {
    expect(() => parseInvite(link)).toThrow(message);
  });

  it("keeps its key out of errors", () => {
    const secret = tail.slice(2);
    try {
      parseInvite(`https://host/join#room=${room}&key=${secret}`);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(secret);
    }
  });

  it("shows the server a hash of the key only", () => {
    expect(roomProof(key)).toBe(createHash("sha256").update("room").update(key).digest("hex"));
  });
});
