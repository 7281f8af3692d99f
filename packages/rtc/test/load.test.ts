import { expect, it, vi } from "vitest";
import { closeRtc, loadRtc, RtcError } from "../src/load.ts";

vi.mock("node-datachannel", () => {
  throw new Error("no binary for this system");
});

it("says what is missing and what to do where there is no WebRTC for this system", async () => {
  await expect(loadRtc()).rejects.toThrow(RtcError);
  await expect(loadRtc()).rejects.toThrow(/could not be loaded .* or have browsers reach this peer by WebSocket/);
  closeRtc();
});
