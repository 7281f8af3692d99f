/**
 * Playing a training: which update is shown, and asking the worker for the next. While it plays the update is the player's
 * alone; when it stands still it is the view's, and so in the address.
 */

import { effect, signal } from "@preact/signals";
import type { Desk } from "../desk.ts";
import { calm, change, view } from "../store.ts";
import { newDesk } from "../workers.ts";
import { gpuDesk, gpuTrouble } from "./device.ts";
import { MOST_UPDATES } from "./fields.ts";
import type { LearningFrame } from "./frame.ts";
import { taskOf } from "./task.ts";

export const frame = signal<LearningFrame | undefined>(undefined);
export const playing = signal(false);
export const trouble = signal<string | undefined>(undefined);
/** The update that the worker has come to on its way to one far away. */
export const reached = signal<number | undefined>(undefined);

/** What the frames depend on; another one begins anew. */
const setting = () => JSON.stringify([taskOf(view.value), view.value.topology]);

let desk: Desk | undefined;
/** Whether the desk is the GPU's. */
let onGpu = false;
let at = 0;

/** A desk for the device that is chosen; another one begins anew. */
function openDeskFor(device: "cpu" | "gpu"): void {
  const wanted = device === "gpu" && gpuTrouble() === undefined;
  if (desk !== undefined && wanted === onGpu) return;
  desk?.close();
  desk = wanted ? gpuDesk() : newDesk();
  onGpu = wanted;
}

async function show(update: number): Promise<boolean> {
  const { topology: topologies, learner } = view.peek();
  try {
    const question = { task: taskOf(view.peek()), topologies, update, ...(learner === undefined ? {} : { learner }) };
    const answer = await desk?.ask("learning", question, (news) => {
      reached.value = news.update;
    });
    if (answer === undefined) return false;
    at = answer.update;
    frame.value = answer;
    reached.value = undefined;
    trouble.value = undefined;
    return true;
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
    playing.value = false;
    return false;
  }
}

let turn = 0;

/** Asks for as many updates as have come due, one question at a time. */
async function run(): Promise<void> {
  const mine = ++turn;
  let last = performance.now();
  let due = 0;
  while (playing.peek() && mine === turn && desk !== undefined) {
    const now = await new Promise<number>(requestAnimationFrame);
    const { pace } = view.peek();
    // A worker that does not keep up is not asked for ever more at a time; a GPU is asked for many, since each time costs.
    due = Math.min(due + ((now - last) / 1000) * pace, Math.max(1, onGpu ? 2 * pace : pace / 4));
    last = now;
    if (due < (onGpu ? pace : 1)) continue;
    const next = Math.min(MOST_UPDATES, at + Math.floor(due));
    due -= Math.floor(due);
    if ((await show(next)) && next === MOST_UPDATES) pause();
  }
}

export function play(): void {
  if (at >= MOST_UPDATES) at = 0;
  playing.value = true;
  change({ update: undefined });
  void run();
}

export function pause(): void {
  playing.value = false;
  change({ update: at });
}

export const toggle = () => (playing.value ? pause() : play());

/** To an update, standing still there. */
export function go(update: number): void {
  playing.value = false;
  at = Math.max(0, Math.min(MOST_UPDATES, update));
  change({ update: at });
}

export const step = (by: number) => go(at + by);

/** Begins with the view on the screen; what it returns ends it. */
export function start(): () => void {
  openDeskFor(view.peek().device);
  at = view.peek().update ?? 0;
  playing.value = view.peek().update === undefined && !calm;
  let before = setting();
  const end = effect(() => {
    const now = setting();
    const { update, learner: _, device } = view.value;
    openDeskFor(device);
    if (now !== before && playing.peek()) at = 0;
    before = now;
    void show(update ?? at);
  });
  if (playing.peek()) void run();
  return () => {
    end();
    desk?.close();
    desk = undefined;
    playing.value = false;
  };
}
