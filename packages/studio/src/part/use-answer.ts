/** A worker's answer to a question that changes: the last one stays until the next is there. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { newDesk } from "../desk.ts";
import type { Jobs } from "../work/jobs.ts";

export interface Answered<K extends keyof Jobs> {
  readonly answer?: Jobs[K]["answer"];
  /** The question that was answered. */
  readonly answered?: Jobs[K]["question"];
  readonly news?: Jobs[K]["news"] | undefined;
  /** Why there is none. */
  readonly trouble?: string;
  /** Whether a newer one is under way. */
  readonly asking: boolean;
}

/** Asks in a worker of its own, which ends with the component, or where there is no question any more. */
export function useAnswer<K extends keyof Jobs>(job: K, question: Jobs[K]["question"] | undefined): Answered<K> {
  const state = useSignal<Answered<K>>({ asking: question !== undefined });
  const desk = useMemo(newDesk, []);
  useEffect(() => desk.close, []);
  useEffect(() => {
    if (question === undefined) {
      state.value = { ...state.peek(), asking: false };
      // What is under way is not wanted any more; a worker in the middle of a step takes no messages.
      return desk.close();
    }
    state.value = { ...state.peek(), asking: true, news: undefined };
    desk
      .ask(job, question, (news) => {
        state.value = { ...state.peek(), news };
      })
      .then((answer) => {
        if (answer !== undefined) state.value = { answer, answered: question, asking: false };
      })
      .catch(({ message }: Error) => {
        state.value = { trouble: message, asking: false };
      });
  }, [job, JSON.stringify(question)]);
  return state.value;
}
