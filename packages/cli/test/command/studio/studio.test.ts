import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type LiveEvent, type LiveSource, watchLive } from "@equitopo/web";
import { describe, expect, test, vi } from "vitest";
import { openStudio } from "../../../src/command/studio/server.ts";
import { bin, equitopo, scratch } from "../../command.ts";

const folder = scratch();

describe("equitopo studio", () => {
  test("serves the built page and the folder until Ctrl-C, and ends well", async () => {
    mkdirSync(join(folder, "runs"));
    const child = spawn(process.execPath, [bin, "studio", join(folder, "runs"), "--no-open", "--json"]);
    const [text] = await once(child.stdout, "data");
    const { page: shown, report } = JSON.parse(String(text));
    expect(shown).toBe(report.replace("#", "#view=runs&"));
    const address = new URL(report);
    expect(address.hostname).toBe("127.0.0.1");
    const page = await fetch(address);
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'sha256-.*frame-ancestors 'none'/);
    expect(await page.text()).toContain("equitopo studio");
    const authorization = `Bearer ${address.hash.replace("#token=", "")}`;
    const listed = await fetch(new URL("/api/runs", address), { headers: { authorization } });
    expect(await listed.json()).toEqual({ runs: [] });
    // Somebody who still watches does not keep it.
    const watching = await fetch(new URL("/api/live", address), { headers: { authorization } });
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    await expect(watching.text().catch(() => "gone")).resolves.toMatch(/event: board|gone/);
  });

  test("shows what another studio shows, from before and from then on", async () => {
    const other = await openStudio({ page: "", host: "127.0.0.1", port: 0, token: "other" });
    const runs = [{ label: "ring", topology: { name: "ring", n: 5 }, rounds: 9, seed: 0 }];
    other.hub.take({ source: "s", event: { kind: "begin", title: "Elsewhere", how: "peers", runs } });
    const child = spawn(process.execPath, [bin, "studio", "--no-open", "--json", "--watch", other.address]);
    const [text] = await once(child.stdout, "data");
    const address = new URL(JSON.parse(String(text)).report);
    const shown: LiveSource[] = [];
    const lines: LiveEvent[] = [];
    const stop = new AbortController();
    const watching = watchLive({
      ...{ origin: address.origin, token: address.hash.replace("#token=", ""), signal: stop.signal },
      onBoard: (sources) => shown.push(...sources),
      onLines: (list) => lines.push(...list.map(({ event }) => event)),
    }).catch(() => {});
    await vi.waitFor(() => expect(shown.map(({ title }) => title)).toEqual(["Elsewhere"]));
    other.hub.take({ source: "s", event: { kind: "share", run: 0, share: 0.5 } });
    await vi.waitFor(() => expect(lines).toEqual([{ kind: "share", run: 0, share: 0.5 }]));
    stop.abort();
    await watching;
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    await other.close();
  });

  test.each([
    ["a folder that is not there", "studio nowhere", /opens a folder that exists, got "nowhere"/],
    ["a port beyond all", "studio --port 70000", /port must be an integer from 0 to 65535/],
    ["an address to watch that is none", "studio --watch nowhere", /must be a URL/],
    ["a studio to watch that is not there", "studio --watch http://127.0.0.1:1/#token=x", /a studio must answer/],
  ])("%s is bad input", async (_, words, message) => {
    const { status, stdout, stderr } = await equitopo(`${words} --no-open`);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("a port that is taken is bad input", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { status, stderr } = await equitopo(`studio --no-open --port ${port}`);
    server.close();
    expect([status, stderr]).toEqual([2, expect.stringMatching(/the port must be free/)]);
  });
});
