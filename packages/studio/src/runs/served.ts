/**
 * The studio that serves this page, if one does: its runs and its live stream, for whoever has the token. That comes in
 * the address's fragment, is taken out of it at once (a link to a view is not a key), and is kept for as long as the tab.
 */

import { type Readable, type RunFiles, runsAmong } from "./run-files.ts";

const place = "equitopo studio token";

function remembered(): string | undefined {
  if (!location.protocol.startsWith("http")) return undefined;
  const given = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  try {
    if (given !== undefined) sessionStorage.setItem(place, given);
    return given ?? sessionStorage.getItem(place) ?? undefined;
  } catch {
    // A browser may keep nothing; then a reload forgets.
    return given;
  }
}

let token = remembered();
addEventListener("hashchange", () => {
  token = remembered();
});

/** Undefined where no studio serves this page: it lies on a disk or on a host of files. */
export const servedBy = (): { origin: string; token: string } | undefined =>
  token === undefined ? undefined : { origin: location.origin, token };

async function ask(path: string): Promise<Response> {
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`the studio answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** The runs of the folder that the studio was started with. */
export async function servedRuns(): Promise<RunFiles[]> {
  type Served = { runs: { name: string; files: { name: string; bytes: number }[] }[] };
  const { runs } = (await (await ask("/api/runs")).json()) as Served;
  const readable = (run: string, name: string, bytes: number): Readable => ({
    ...{ path: `${run}/${name}`, bytes },
    async read() {
      const answer = await ask(`/api/runs/${encodeURIComponent(run)}/${encodeURIComponent(name)}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
  });
  return runsAmong(runs.flatMap(({ name: run, files }) => files.map(({ name, bytes }) => readable(run, name, bytes))));
}
