/**
 * Plays a view that moves, in rounds or updates: which one is shown, whether it plays, and the frames from a worker. The
 * place is written into the view, and so into the address, only while nothing plays.
 */

import { computed, effect, signal, untracked } from "@preact/signals";
import { calm, change, view } from "../store.ts";

export interface Played<F> {
  /** The entries of the view with the place and with the places a second. */
  readonly place: "t" | "update";
  readonly speed: "speed" | "pace";
  last(): number;
  /** The least and the most places that it goes at a time: waits until the least is due, drops what is due beyond the most. */
  strides(): readonly [least: number, most: number];
  /** What the frames depend on besides the place. */
  setting(): unknown;
  /** If this changes while the view plays, it begins again from the start. */
  origin?(): unknown;
  /** The frame at a place; undefined if it was given up for another. */
  ask(at: number): Promise<F | undefined>;
  /** After the view has left the screen. */
  close(): void;
}

export type Player<F> = ReturnType<typeof player<F>>;

export function player<F>({ place, speed, last, strides, setting, origin, ask, close }: Played<F>) {
  const frame = signal<F | undefined>(undefined);
  const playing = signal(false);
  const trouble = signal<string | undefined>(undefined);
  /** What is shown, or will be as soon as its frame is there. */
  const at = signal(0);
  /** The share of the time until the next place that is over; 0 while nothing plays. */
  const phase = signal(0);
  /** Counts the calls of play: what an earlier one began ends. */
  let turn = 0;

  async function show(to: number): Promise<boolean> {
    at.value = to;
    try {
      const found = await ask(to);
      if (found === undefined) return false;
      frame.value = found;
      trouble.value = undefined;
      return true;
    } catch (error) {
      trouble.value = (error as Error).message;
      playing.value = false;
      return false;
    }
  }

  async function run(): Promise<void> {
    const mine = ++turn;
    let before = performance.now();
    let due = 0;
    for (;;) {
      const now = await new Promise<number>(requestAnimationFrame);
      if (!playing.peek() || mine !== turn) return;
      const [least, most] = strides();
      // If the worker does not keep up, what is due must not grow without end.
      due = Math.min(due + ((now - before) / 1000) * view.peek()[speed], most);
      before = now;
      phase.value = Math.min(1, due);
      if (due < least) continue;
      const next = Math.min(last(), at.peek() + Math.floor(due));
      due -= Math.floor(due);
      if ((await show(next)) && next === last()) seek(next);
    }
  }

  /** Goes to a place and stops there. */
  function seek(to: number): void {
    playing.value = false;
    phase.value = 0;
    change({ [place]: Math.max(0, Math.min(last(), to)) });
  }

  function play(): void {
    if (playing.peek()) return;
    playing.value = true;
    if (at.peek() >= last()) at.value = 0;
    change({ [place]: undefined });
    void run();
  }

  const key = computed(() => JSON.stringify([view.value[place], last(), setting()]));

  /** Follows the view from now on. Returns a function that ends this. */
  function open(): () => void {
    at.value = view.peek()[place] ?? 0;
    let begun = JSON.stringify(origin?.());
    const follow = () => {
      const wanted = view.value[place];
      if (wanted !== undefined) playing.value = false;
      const now = JSON.stringify(origin?.());
      if (now !== begun && playing.value) at.value = 0;
      begun = now;
      void show(Math.min(wanted ?? at.value, last()));
    };
    const stop = effect(() => {
      if (key.value !== "") untracked(follow);
    });
    if (view.peek()[place] === undefined && !calm) play();
    return () => {
      stop();
      playing.value = false;
      phase.value = 0;
      frame.value = undefined;
      close();
    };
  }

  return {
    ...{ place, speed, frame, playing, trouble, at, phase, seek, play, open },
    step: (by: number) => seek(at.peek() + by),
    toggle: () => (playing.peek() ? seek(at.peek()) : play()),
  };
}
