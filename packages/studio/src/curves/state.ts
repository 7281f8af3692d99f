/** The curves of the view and what theory says of them, as the workers tell it. */

import { computed, effect, signal } from "@preact/signals";
import type { Desk } from "../desk.ts";
import { settingOf } from "../setting.ts";
import { view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, type Trouble } from "../trouble.ts";
import { type KnownRate, TOLERANCE } from "./promise.ts";
import type { Curve } from "./work.ts";

/** What the curves that are there are curves of. */
export interface Measured {
  readonly topologies: readonly Chosen[];
  readonly curves: readonly Curve[];
}

export const measured = signal<Measured>({ topologies: [], curves: [] });
export const rates = signal<readonly (KnownRate | Trouble | undefined)[]>([]);
export const isDone = signal(false);
export const failure = signal<string | undefined>(undefined);

/** The first round whose disagreement is down to a millionth; undefined where none is. */
export function crossing(curve: Curve): number | undefined {
  if (isTrouble(curve)) return undefined;
  const { errors } = curve;
  const found = errors.findIndex((error) => error <= TOLERANCE * errors[0]);
  return found < 0 ? undefined : found;
}

const curvesKey = computed(() => JSON.stringify([view.value.topology, settingOf(view.value), view.value.rounds]));
const ratesKey = computed(() => JSON.stringify([view.value.topology, view.value.n, view.value.seed]));

/** Two desks: a rate that takes a second must not hold up the curves. Returns what closes them. */
export function open(newDesk: () => Desk): () => void {
  const [runs, theory] = [newDesk(), newDesk()];
  const fail = (error: Error) => {
    failure.value = error.message;
  };
  const stops = [
    effect(() => {
      if (curvesKey.value === "") return;
      const { topology: topologies, rounds } = view.peek();
      const tell = (curves: readonly Curve[] | undefined, done: boolean) => {
        if (curves === undefined) return;
        measured.value = { topologies, curves };
        isDone.value = done;
        failure.value = undefined;
      };
      isDone.value = false;
      const question = { topologies, setting: settingOf(view.peek()), rounds };
      runs.ask("curves", question, (news) => tell(news, false)).then((answer) => tell(answer, true), fail);
    }),
    effect(() => {
      if (ratesKey.value === "") return;
      const { topology: topologies, n, seed } = view.peek();
      rates.value = [];
      const tell = (known: typeof rates.value | undefined) => {
        if (known !== undefined) rates.value = known;
      };
      theory.ask("rates", { topologies, n, seed }, tell).then(tell, fail);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    runs.close();
    theory.close();
    measured.value = { topologies: [], curves: [] };
    rates.value = [];
  };
}
