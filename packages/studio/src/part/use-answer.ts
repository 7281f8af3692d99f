/** A worker's answer to a question that changes: the last one stays until the next is there. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Desk } from "../desk.ts";
import type { Jobs } from "../protocol.ts";
import { newDesk } from "../workers.ts";

export interface Answered<Answer, News> {
  readonly answer: Answer | undefined;
  readonly news: News | undefined;
  /** Why there is none. */
  readonly trouble: string | undefined;
  /** Whether a newer one is under way. */
  readonly asking: boolean;
}

/** Asks in a worker of its own, which ends with the component, or where there is no question any more. */
export function useAnswer<K extends keyof Jobs>(
  job: K,
  question: Jobs[K]["question"] | undefined,
): Answered<Jobs[K]["answer"], Jobs[K]["news"]> {
  const state = useSignal<Answered<Jobs[K]["answer"], Jobs[K]["news"]>>({
    ...{ answer: undefined, news: undefined, trouble: undefined, asking: question !== undefined },
  });
  const desk = useRef<Desk>(undefined);
  const key = JSON.stringify(question);
  useEffect(() => () => desk.current?.close(), []);
  useEffect(() => {
    if (question === undefined) {
      // What is under way is not wanted any more; a worker in the middle of a step hears nothing else.
      desk.current?.close();
      state.value = { ...state.peek(), asking: false, news: undefined };
      return;
    }
    desk.current ??= newDesk();
    state.value = { ...state.peek(), asking: true, news: undefined };
    desk.current
      .ask(job, question, (news) => {
        state.value = { ...state.peek(), news };
      })
      .then((answer) => {
        if (answer !== undefined) state.value = { answer, news: undefined, trouble: undefined, asking: false };
      })
      .catch((error: Error) => {
        state.value = { answer: undefined, news: undefined, trouble: error.message, asking: false };
      });
  }, [job, key]);
  return state.value;
}
