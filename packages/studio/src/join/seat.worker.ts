/**
 * A seat at work, beside its page: it joins the room, is linked with all that it will meet, and trains. Timers of a worker
 * run on when the tab is hidden, so a seat keeps its pace whatever its window does.
 */

import { classificationFamily } from "@equitopo/nn";
import { forgetPlace, indexedStore, LinkTransport, Member, parseInvite, remoteRtc } from "@equitopo/web";
import { type Files, problems } from "equitopo";
import { filesNeeded } from "./files-needed.ts";
import { memberEvents } from "./member-events.ts";
import type { Picked } from "./picked.ts";
import { pickedFiles } from "./picked-files.ts";
import type { FromSeatWorker, ToSeatWorker } from "./protocol.ts";
import type { Result } from "./shown.ts";
import { Training } from "./training.ts";
import { inTrouble } from "./trouble.ts";

problems.add(classificationFamily);

type Join = Extract<ToSeatWorker, { kind: "join" }>;

/** Milliseconds between two looks of the page, for all to begin, and for the others to hear this seat's last words. */
const [look, startTimeout, farewell] = [100, 60_000, 250];

const say = (event: FromSeatWorker) => postMessage(event);
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Aborted by the person who leaves, or where the seat has become somebody else's: then its reason is the error. */
const leaving = new AbortController();
const left = new Promise<never>((_, reject) => {
  leaving.signal.addEventListener("abort", () => reject(leaving.signal.reason));
});
left.catch(() => {});

let pick: (picked: readonly Picked[]) => void = () => {};

addEventListener("message", ({ data }: MessageEvent<ToSeatWorker>) => {
  if (data.kind === "picked") pick(data.picked);
  else if (data.kind === "leave") leaving.abort();
  else void takeSeat(data);
});

async function takeSeat({ link, seat, rtc }: Join): Promise<void> {
  try {
    const invite = parseInvite(link);
    let member: Member | undefined;
    const show = () => {
      if (member !== undefined) for (const event of memberEvents(member)) say(event);
    };
    const joining = Member.join({
      ...{ invite, runtime: "browser", socket: (url) => new WebSocket(url), onChange: show },
      ...(rtc === undefined ? {} : { rtc: remoteRtc(rtc) }),
      ...(seat === undefined ? {} : { want: seat }),
      // Without a server a seat goes on; where somebody else has it, two would answer to one number.
      onRefused: (error) => {
        if (error.reason === "replaced" || error.reason === "taken") leaving.abort(error);
      },
    });
    member = await Promise.race([joining, left]);
    show();
    await keepSeat(member, invite.room);
  } catch (error) {
    const byPerson = (error as Error)?.name === "AbortError";
    say(byPerson ? { kind: "left" } : { kind: "trouble", trouble: inTrouble(error) });
  }
}

/** The seat is remembered, with its checkpoints, until its run is done or the person leaves. */
async function keepSeat(member: Member, room: string): Promise<void> {
  const { rank, secret } = member.wanted;
  const place = `${room} ${rank}`;
  const forget = async () => {
    say({ kind: "remember", seat: undefined });
    await forgetPlace(place);
  };
  if (secret !== undefined) say({ kind: "remember", seat: { rank, secret } });
  let transport: LinkTransport | undefined;
  try {
    const training = new Training({ runs: member.runs, rank, files: await ownFiles(member) });
    say({ kind: "runs", runs: training.facts });
    transport = new LinkTransport({ ...member.lane, maxBytes: training.largest });
    const result = await train(member, transport, training, place);
    say({ kind: "ended", result });
    await forget();
    await wait(farewell);
  } catch (error) {
    if ((error as Error)?.name === "AbortError") await forget();
    throw error;
  } finally {
    await transport?.close();
    await member.leave();
  }
}

async function train(member: Member, transport: LinkTransport, training: Training, place: string): Promise<Result> {
  const { timeout } = member;
  await Promise.race([member.connect(transport), left]);
  say({ kind: "started" });
  const tell = () => {
    const standing = training.standing(transport);
    if (standing !== undefined) say({ kind: "standing", standing });
  };
  const timer = setInterval(tell, look);
  try {
    const { signal } = leaving;
    return await training.run({ transport, store: indexedStore(place), timeout, startTimeout, signal }, (event) =>
      member.report(event),
    );
  } finally {
    clearInterval(timer);
    tell();
  }
}

/** What the person picks, as long as the spec asks for files. */
async function ownFiles({ runs, rank }: Member): Promise<Files | undefined> {
  const all: Picked[] = [];
  for (const needed of filesNeeded(runs, rank)) {
    const picked = new Promise<readonly Picked[]>((resolve) => {
      pick = resolve;
    });
    say({ kind: "files", needed });
    all.push(...(await Promise.race([picked, left])));
  }
  return all.length === 0 ? undefined : pickedFiles(all);
}
