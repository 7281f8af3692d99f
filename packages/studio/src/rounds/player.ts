/**
 * The clock of the view: which round is shown, whether it plays, and the frames from the worker. While it plays, the next
 * frame is asked for ahead, so that a round begins when the one before has ended. Only where it stops is the round written
 * into the view, and so into the address.
 */

import { computed, effect, signal } from "@preact/signals";
import type { Desk } from "../desk.ts";
import { settingOf } from "../setting.ts";
import { calm, change, view } from "../store.ts";
import type { Trouble } from "../trouble.ts";
import type { Seen } from "./frame.ts";
import type { Scene } from "./work.ts";

/** Side by side: as many as one can look at. */
const MOST_SHOWN = 2;

export interface Moment {
  readonly t: number;
  readonly seen: readonly Seen[];
}

export const shownTopologies = computed(() => view.value.topology.slice(0, MOST_SHOWN));
export const playing = signal(false);
export const moment = signal<Moment | undefined>(undefined);
export const scenes = signal<readonly (Scene | Trouble)[]>([]);
/** How much of the round is over; 0 where it stands still. */
export const phase = signal(0);
export const failure = signal<string | undefined>(undefined);
/** The round that is shown, or will be as soon as its frame is there. */
export const t = signal(0);

let desk: Desk | undefined;
/** Whether the moment shown is that of t and of what is chosen. */
let isFresh = false;
let isFetching = false;
let next: Moment | undefined;
/** The turn that is due with the next picture on the screen. */
let turning = 0;

/** Fetches what is missing: the moment itself, then, while it plays, the one after it. */
async function fetchFrames(): Promise<void> {
  if (isFetching) return;
  isFetching = true;
  for (let round = missing(); round !== undefined && desk !== undefined; round = missing()) {
    const { node } = view.peek();
    const question = { topologies: shownTopologies.peek(), setting: settingOf(view.peek()), node, t: round };
    const forNow = !isFresh;
    try {
      const seen = await desk.ask("frame", question);
      // It was given up for another one.
      if (seen === undefined) continue;
      failure.value = undefined;
      if (forNow) {
        moment.value = { t: round, seen };
        isFresh = true;
      } else next = { t: round, seen };
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
      break;
    }
  }
  isFetching = false;
}

function missing(): number | undefined {
  if (!isFresh) return t.peek();
  return playing.peek() && next === undefined && t.peek() < view.peek().rounds ? t.peek() + 1 : undefined;
}

/** What is shown is no longer what is asked for. */
function refresh(): void {
  isFresh = false;
  next = undefined;
  desk?.cancel("frame");
  void fetchFrames();
}

/** Goes to a round and stands still there. */
export function seek(to: number): void {
  playing.value = false;
  phase.value = 0;
  change({ t: Math.max(0, Math.min(view.peek().rounds, to)) });
}

export const pause = (): void => seek(t.peek());

export function play(): void {
  if (playing.peek()) return;
  playing.value = true;
  change({ t: undefined });
  if (t.peek() >= view.peek().rounds) {
    t.value = 0;
    refresh();
  } else void fetchFrames();
  let before = performance.now();
  const turn = (now: number) => {
    if (!playing.peek()) return;
    const share = phase.peek() + ((now - before) / 1000) * view.peek().speed;
    before = now;
    if (share < 1 || next === undefined) phase.value = Math.min(1, share);
    else {
      moment.value = next;
      t.value = next.t;
      next = undefined;
      // A slow frame is not made up for by a jump.
      phase.value = Math.min(1, share - 1);
      if (t.peek() >= view.peek().rounds) return pause();
      void fetchFrames();
    }
    turning = requestAnimationFrame(turn);
  };
  // One that stopped and began again within a picture would otherwise go on beside this one, at twice the speed.
  cancelAnimationFrame(turning);
  turning = requestAnimationFrame(turn);
}

export const toggle = (): void => (playing.peek() ? pause() : play());

const chosen = computed(() => JSON.stringify([shownTopologies.value, settingOf(view.value)]));
const sceneKey = computed(() => `${chosen.value} ${view.value.layout}`);
const frameKey = computed(() => `${chosen.value} ${view.value.node}`);
const place = computed(() => ({ wanted: view.value.t, rounds: view.value.rounds }));

function askScenes(): void {
  const { layout } = view.peek();
  const question = { topologies: shownTopologies.peek(), setting: settingOf(view.peek()), layout };
  desk?.ask("scene", question).then(
    (found) => {
      if (found !== undefined) scenes.value = found;
    },
    (error: Error) => {
      failure.value = error.message;
    },
  );
}

/** Opens the view on a desk: from then on it follows what is chosen. Returns what closes it. */
export function open(newDesk: () => Desk): () => void {
  desk = newDesk();
  const opened = desk;
  const first = view.peek();
  t.value = Math.min(first.t ?? 0, first.rounds);
  const stops = [
    effect(() => {
      if (sceneKey.value !== "") askScenes();
    }),
    effect(() => {
      if (frameKey.value !== "") refresh();
    }),
    effect(() => {
      const { wanted, rounds } = place.value;
      const to = Math.min(wanted ?? t.peek(), rounds);
      if (to === t.peek()) return;
      if (wanted !== undefined) playing.value = false;
      t.value = to;
      refresh();
    }),
  ];
  if (first.t === undefined && !calm) play();
  return () => {
    for (const stop of stops) stop();
    playing.value = false;
    phase.value = 0;
    opened.close();
    desk = undefined;
    isFresh = false;
    moment.value = undefined;
    scenes.value = [];
  };
}
