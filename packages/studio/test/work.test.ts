import { expect, test } from "vitest";
import { type Line, openDesk } from "../src/desk.ts";
import { worker } from "../src/work/worker.ts";

/** A worker without a thread: messages come with the next turn of the event loop. */
function line(jobs: Parameters<typeof worker>[0]): { start: () => Line; begun: () => number } {
  let begun = 0;
  const start = (): Line => {
    begun++;
    let isOver = false;
    const end: Line = {
      ...{ onmessage: null, onerror: null },
      terminate: () => {
        isOver = true;
      },
      postMessage: (message) => setImmediate(() => take(message)),
    };
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const take = worker(jobs, (data) => setImmediate(() => isOver || end.onmessage?.({ data })), turn);
    return end;
  };
  return { start, begun: () => begun };
}

function* counting(question: unknown): Generator<unknown, unknown> {
  for (let k = 0; k < 100; k++) yield k % 50 === 0 ? k : undefined;
  return question;
}

test("a question gets its news, then its answer; the worker is started by the first", async () => {
  const { start, begun } = line({ rates: counting });
  const desk = openDesk(start);
  expect(begun()).toBe(0);
  const news: unknown[] = [];
  expect(await desk.ask("rates", "q" as never, (word) => news.push(word))).toBe("q");
  expect(news).toEqual([0, 50]);
  expect(begun()).toBe(1);
});

test("a newer question of a job ends the older one, wherever that stands", async () => {
  const steps = { waiting: 0, endless: 0 };
  const { start } = line({
    *rates(question: "waiting" | "endless") {
      do {
        steps[question]++;
        yield undefined;
      } while (question === "endless");
      return question;
    },
  });
  const desk = openDesk(start);
  const waiting = desk.ask("rates", "waiting" as never);
  const endless = desk.ask("rates", "endless" as never);
  expect(await waiting).toBeUndefined();
  while (steps.endless === 0) await new Promise(setImmediate);
  const last = desk.ask("rates", "waiting" as never);
  expect(await endless).toBeUndefined();
  expect(await last).toBe("waiting");
  // The first was ended before it began.
  expect(steps.waiting).toBe(1);
});

test("jobs that wait are asked like those that do not, and one after the other", async () => {
  const order: string[] = [];
  const { start } = line({
    async *learning(question: string) {
      order.push(`${question} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield 1;
      order.push(`${question} ends`);
      return question;
    },
    rates: counting,
  });
  const desk = openDesk(start);
  const answers = [desk.ask("learning", "slow" as never), desk.ask("rates", "quick" as never)];
  expect(await Promise.all(answers)).toEqual(["slow", "quick"]);
  expect(order).toEqual(["slow begins", "slow ends"]);
});

test("what a job refuses comes back as an error, and the desk goes on", async () => {
  const { start } = line({
    // biome-ignore lint/correctness/useYield: it fails before it would
    *rates(question: unknown) {
      if (question === "bad") throw new Error("n must be even");
      return question;
    },
  });
  const desk = openDesk(start);
  await expect(desk.ask("rates", "bad" as never)).rejects.toThrow("n must be even");
  expect(await desk.ask("rates", "good" as never)).toBe("good");
  const open = desk.ask("rates", "late" as never);
  desk.close();
  expect(await open).toBeUndefined();
});
