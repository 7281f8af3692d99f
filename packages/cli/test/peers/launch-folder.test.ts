/** What a launch leaves behind: nothing, whatever ended it; and what it takes in: whole lines only. */

import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { encodeEvent, type PeerEvent } from "equitopo/internal/peer";
import { describe, expect, it } from "vitest";
import { type LaunchFolder, openLaunchFolder } from "../../src/peers/launch-folder.ts";
import { scratch } from "../command.ts";

const scratched = scratch();
const event: PeerEvent = { kind: "round", rank: 1, run: 0, round: 3, partners: [0], bytes: 8, lag: 0 };

async function tell(folder: LaunchFolder, text: string): Promise<void> {
  const socket = net.connect(folder.socket);
  await once(socket, "connect");
  socket.end(text);
  await once(socket.resume(), "close");
}

describe("a launch's folder", () => {
  it("takes whole lines, and leaves out what a killed peer left of one", async () => {
    const heard: PeerEvent[] = [];
    const folder = openLaunchFolder({ runs: 1, peers: 2, onEvent: (one) => heard.push(one) });
    await folder.listen();
    const key = folder.secret("key", "secret");
    const line = encodeEvent(event);
    await tell(folder, line + line.slice(0, line.length >> 1));
    expect(existsSync(key)).toBe(true);
    await tell(folder, `null\n[]\n7\n{"version":1}\n{"version":2,"kind":"round"}\n${line.replace("3", "-3")}${line}`);
    await folder.heard();
    expect(heard).toEqual([event, event]);
    // All have reported: the key is no longer needed.
    expect(existsSync(key)).toBe(false);
    folder.close();
    expect(existsSync(folder.path)).toBe(false);
  });

  it("ends the launch, and is removed, where what was told cannot be taken in", async () => {
    const folder = openLaunchFolder({
      ...{ runs: 1, peers: 1 },
      onEvent: () => {
        throw new Error("a mistake");
      },
    });
    await folder.listen();
    await tell(folder, encodeEvent(event));
    await expect(folder.heard()).rejects.toThrow("a mistake");
    folder.close();
    expect(existsSync(folder.path)).toBe(false);
  });

  it("is made where the name of its socket is short enough, or says what to do", async () => {
    const long = join(scratched, "x".repeat(90));
    mkdirSync(long);
    const options = { runs: 1, peers: 1, onEvent: () => {} };
    const folder = openLaunchFolder({ ...options, places: [long, scratched] });
    await folder.listen();
    expect(folder.path.startsWith(long)).toBe(false);
    folder.close();
    expect(() => openLaunchFolder({ ...options, places: [long] })).toThrow(/set TMPDIR to a shorter one/);
  });
});
