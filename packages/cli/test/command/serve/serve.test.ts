/** What a person at a terminal sees of an invite. */

import { expect, test } from "vitest";
import { inviteText } from "../../../src/command/serve/serve.ts";

const link = "http://127.0.0.1:8117/join#room=a&key=b";
const code = /[█▀▄]/;

test("a QR code is for other machines: there is none where only this one can open the link", () => {
  const here = inviteText(link, "127.0.0.1", true);
  expect(here).not.toMatch(code);
  expect(here).toMatch(/^invite: http\S+\nthis link works on this machine only; --host and --tls let others in\n$/);
  expect(inviteText(link, "node-0", true)).toMatch(code);
  expect(inviteText(link, "node-0", true)).toContain(`invite: ${link}\n`);
  expect(inviteText(link, "node-0", false)).toBe(`invite: ${link}\n`);
});
