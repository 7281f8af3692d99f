/**
 * A seat at work, beside its page: it joins the room, is linked with all that it will meet, and trains. Timers of a worker
 * run on when the tab is hidden, so a seat keeps its pace whatever its window does.
 */

import { classificationFamily } from "@equitopo/nn";
import {
  forgetPlace,
  indexedStore,
  type LinkKind,
  LinkTransport,
  Member,
  type PairView,
  parseInvite,
  remoteRtc,
  type SeatMemory,
} from "@equitopo/web/internal";
import { type Files, problems } from "equitopo";
import { filesNeeded, type Picked, pickedFiles } from "./files.ts";
import { failed, type SeatEvent } from "./page-state.ts";
import { type Result, type Training, trainingOf } from "./training.ts";
import { inTrouble } from "./trouble.ts";

problems.add(classificationFamily);

/* What a seat's window and its worker say to each other, beside the WebRTC connections (rtc-host.ts of @equitopo/web). */

export type ToSeatWorker =
  /** Take a seat: the one from before, where there was one. `rtc` is the port to the window's connections. */
  | { readonly kind: "join"; readonly link: string; readonly seat?: SeatMemory; readonly rtc: MessagePort | undefined }
  | { readonly kind: "picked"; readonly picked: readonly Picked[] }
  | { readonly kind: "leave" };

export type FromSeatWorker =
  | SeatEvent
  /** For the window to keep over a reload; undefined where the seat is not to be taken again. */
  | { readonly remember: SeatMemory | undefined };

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
      if (member !== undefined) say(eventOf(member));
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
    say(byPerson ? { phase: "left" } : failed(inTrouble(error)));
  }
}

/** The seat is remembered, with its checkpoints, until its run is done or the person leaves. */
async function keepSeat(member: Member, room: string): Promise<void> {
  const { rank, secret } = member.wanted;
  const place = `${room} ${rank}`;
  const forget = async () => {
    say({ remember: undefined });
    await forgetPlace(place);
  };
  if (secret !== undefined) say({ remember: { rank, secret } });
  let transport: LinkTransport | undefined;
  try {
    const training = trainingOf(member.runs, rank, await ownFiles(member));
    // With its data there, a seat is ready to be connected.
    say({ phase: "connecting", runs: training.facts });
    transport = new LinkTransport({ ...member.lane, maxBytes: training.largest });
    const result = await train(member, transport, training, place);
    say({ phase: "ended", result });
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
  say({ phase: "training" });
  const tell = () => {
    const standing = training.standing(transport);
    if (standing !== undefined) say({ phase: "training", standing });
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
    say({ phase: "files", needed });
    all.push(...(await Promise.race([picked, left])));
  }
  return all.length === 0 ? undefined : pickedFiles(all);
}

const carried = (pair: [number, PairView]): pair is [number, LinkKind] =>
  ["rtc", "websocket", "relay", "port"].includes(pair[1]);

/** A member of a room as the page hears of it. */
function eventOf({ rank, size, view: { pairs, here, server } }: Pick<Member, "rank" | "size" | "view">): SeatEvent {
  const open = new Map([...pairs].filter(carried));
  return {
    rank,
    size,
    here: [{ rank, runtime: "browser" }, ...here],
    wanted: pairs.size,
    open,
    server: server === "here",
  };
}
