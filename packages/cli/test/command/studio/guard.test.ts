import { describe, expect, test } from "vitest";
import { refusal } from "../../../src/command/studio/guard.ts";

const gate = { token: "secret", names: ["mybox"] };
const good = { host: "127.0.0.1:4263", origin: "http://127.0.0.1:4263", authorization: "Bearer secret" };

describe("a request past the gate", () => {
  test.each([
    ["from the page", good],
    ["from a command, which has no Origin", { ...good, origin: undefined }],
    ["by name", { ...good, host: "localhost:1", origin: "http://localhost:1" }],
    ["by the machine's name", { ...good, host: "MyBox:80", origin: "http://MyBox:80" }],
    ["over IPv6", { ...good, host: "[::1]:4263", origin: "http://[::1]:4263" }],
    ["from another machine by number", { ...good, host: "10.0.0.5:4263", origin: "http://10.0.0.5:4263" }],
  ])("%s", (_, asking) => {
    expect(refusal(asking, gate)).toBeUndefined();
  });

  test.each([
    ["a foreign name that points here", { ...good, host: "evil.example:4263", origin: undefined }, /Host/],
    ["no Host", { ...good, host: undefined }, /Host/],
    ["a name that only begins like ours", { ...good, host: "localhost.evil.example" }, /Host/],
    ["a page of another site", { ...good, origin: "https://evil.example" }, /Origin/],
    ["a page of another port", { ...good, origin: "http://127.0.0.1:80" }, /Origin/],
    ["a page without an origin", { ...good, origin: "null" }, /Origin/],
    ["no token", { ...good, authorization: undefined }, /token/],
    ["a wrong token", { ...good, authorization: "Bearer secreT" }, /token/],
    ["half a token", { ...good, authorization: "Bearer sec" }, /token/],
  ])("not %s", (_, asking, why) => {
    expect(refusal(asking, gate)).toMatch(why);
  });
});
