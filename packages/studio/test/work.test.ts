import { expect, test } from "vitest";
import { type Line, openDesk } from "../src/desk.ts";
import type { FromWorker, ToWorker } from "../src/protocol.ts";
import { worker } from "../src/work.ts";

/** A worker without a thread: messages and turns of the event loop go through one queue, the clock ticks when asked. */
function line(jobs: Parameters<typeof worker>[0]): { start: () => Line; settle: () => void; begun: () => number } {
  const queue: (() => void)[] = [];
  let clock = 0;
  let begun = 0;
  const start = (): Line => {
    begun++;
    const end: Line = {
      onmessage: null,
      onerror: null,
      terminate: () => queue.splice(0),
      postMessage: (message: ToWorker) => queue.push(() => take(message)),
    };
    const take = worker(jobs, {
      post: (data: FromWorker) => queue.push(() => end.onmessage?.({ data })),
      now: () => clock++,
      later: (callback) => queue.push(callback),
    });
    return end;
  };
  const settle = () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) next();
  };
  return { start, settle, begun: () => begun };
}

function* counting(question: unknown): Generator<unknown, unknown> {
  for (let k = 0; k < 100; k++) yield k % 50 === 0 ? k : undefined;
  return question;
}

test("a question gets its news, then its answer; the worker is started by the first", async () => {
  const { start, settle, begun } = line({ rates: counting });
  const desk = openDesk(start);
  expect(begun()).toBe(0);
  const news: unknown[] = [];
  const answer = desk.ask("rates", "q" as never, (word) => news.push(word));
  settle();
  expect(await answer).toBe("q");
  expect(news).toEqual([0, 50]);
  expect(begun()).toBe(1);
});

test("a newer question of a job ends the older one, wherever that stands", async () => {
  let steps = 0;
  const { start, settle } = line({
    *rates(question: unknown) {
      for (let k = 0; k < 1000; k++) {
        steps++;
        yield undefined;
      }
      return question;
    },
  });
  const desk = openDesk(start);
  const older = desk.ask("rates", 1 as never);
  const newer = desk.ask("rates", 2 as never);
  settle();
  expect(await older).toBeUndefined();
  expect(await newer).toBe(2);
  expect(steps).toBeLessThan(1100);
});

test("what a job refuses comes back as an error, and the desk goes on", async () => {
  const { start, settle } = line({
    // biome-ignore lint/correctness/useYield: it fails before it would
    *rates(question: unknown) {
      if (question === "bad") throw new Error("n must be even");
      return question;
    },
  });
  const desk = openDesk(start);
  const bad = desk.ask("rates", "bad" as never);
  settle();
  await expect(bad).rejects.toThrow("n must be even");
  const good = desk.ask("rates", "good" as never);
  settle();
  expect(await good).toBe("good");
  const open = desk.ask("rates", "late" as never);
  desk.close();
  expect(await open).toBeUndefined();
});
