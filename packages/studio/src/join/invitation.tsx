/** What a person is invited to, before anything happens: what for, who is needed, what is sent and what stays; and the button. */

import { openAbout } from "@equitopo/web/internal";
import { shape } from "equitopo/input";
import { showBytes } from "equitopo/internal/picture";
import { Facts } from "../part/facts.tsx";

const { fields, optional, readJson, text, whole } = shape;
const count = whole(0, Number.MAX_SAFE_INTEGER);
/** What the room's server wrote into its page: updates are those of all runs, bytes those of a model. */
const facts = fields({
  ...{ title: text(1000), description: optional(text(10_000)) },
  ...{ seats: count, runs: count, updates: count, bytes: count },
});
export type RoomFacts = shape.Of<typeof facts>;

/** The facts in this page, read with the key; undefined if its server gave none. */
export function roomFacts(key: Uint8Array): RoomFacts | undefined {
  const sealed = document.querySelector<HTMLMetaElement>('meta[name="equitopo-room"]')?.content;
  return sealed === undefined ? undefined : readJson(openAbout(key, sealed), 100_000, facts);
}

export function Invitation({ room, onJoin }: { readonly room: RoomFacts | undefined; readonly onJoin: () => void }) {
  return (
    <section class="panel" id="invitation">
      {room?.description !== undefined && <p>{room.description}</p>}
      <p>You were invited to train a small model together. Keep this tab open until it says that training is done.</p>
      <Facts
        facts={[
          room !== undefined && [
            "Who is needed",
            `${room.seats} seats: training begins when all are taken, and the page shows who is here.`,
          ],
          room !== undefined && [
            "How long",
            `${room.updates} rounds${room.runs > 1 ? ` in ${room.runs} runs` : ""}, at the pace of the slowest seat; often many a second.`,
          ],
          [
            "What is sent",
            `Your seat's model${room === undefined ? "" : ` (${showBytes(room.bytes)} each time)`} to other seats, and to whoever invited you: the model and how far it is.`,
          ],
          [
            "What stays",
            "Your data stays in this tab. Nothing is installed; what the tab keeps is gone when you leave.",
          ],
        ]}
      />
      <button type="button" id="join" class="main" onClick={onJoin}>
        Join
      </button>
    </section>
  );
}
