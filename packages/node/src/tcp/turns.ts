/**
 * Whose turn it is to be dialled. Handshakes cost processor time at both ends, and all of them at once would finish late,
 * or run into their deadlines and begin again. So a few that a round waits for are under way at a time, in the order in
 * which they were asked for; and where there are none, one of the others, followed by a pause of `rest` times as long as
 * it took: where the machine or the network is busy, these give way to what somebody waits for.
 *
 * A peer that does not answer delays nobody: its handshake goes on beside the others once its turn has lasted `patience`, or
 * 4 times as long as the last one that was answered, where the machine is so busy that this is more.
 */

/** Begins the work of a turn; `done` is called when it is over, well or not. */
type Begin = (done: () => void) => void;

const rest = 3;
/** In milliseconds. */
const patience = 200;

export type Turns = ReturnType<typeof takingTurns>;

export function takingTurns(limit: number) {
  const wanted = new Map<number, Begin>();
  const ahead = new Map<number, Begin>();
  let running = 0;
  let pause: NodeJS.Timeout | undefined;
  /** How long the last turn took that was over in time. */
  let took = 0;

  function forget(peer: number): void {
    wanted.delete(peer);
    ahead.delete(peer);
  }

  function next(): void {
    while (running < limit) {
      const urgent = wanted.size > 0;
      if (!urgent && (running > 0 || pause !== undefined)) return;
      const first = (urgent ? wanted : ahead).entries().next().value;
      if (first === undefined) return;
      const [peer, begin] = first;
      forget(peer);
      running++;
      const begun = performance.now();
      let over = false;
      const end = (answered: boolean): void => {
        if (over) return;
        over = true;
        running--;
        clearTimeout(silent);
        if (answered) {
          took = performance.now() - begun;
          if (!urgent) {
            clearTimeout(pause);
            pause = setTimeout(rested, rest * took).unref();
          }
        }
        next();
      };
      const silent = setTimeout(() => end(false), Math.max(patience, 4 * took)).unref();
      begin(() => end(true));
    }
  }

  function rested(): void {
    pause = undefined;
    next();
  }

  return {
    /** Calls `begin` when it is that peer's turn. One place in the queue for each: asking again only makes it urgent. */
    ask(peer: number, urgent: boolean, begin: Begin): void {
      if (urgent) {
        wanted.set(peer, wanted.get(peer) ?? ahead.get(peer) ?? begin);
        ahead.delete(peer);
      } else if (!wanted.has(peer)) ahead.set(peer, ahead.get(peer) ?? begin);
      next();
    },

    forget,
  };
}
