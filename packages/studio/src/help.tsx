/** The keys, those of the page and those of the view. */

import { keyName, viewKeys } from "./keys.ts";
import type { Page, Shortcut } from "./page.ts";
import { Dialog } from "./part/dialog.tsx";

type HelpProps = { keys: readonly Shortcut[]; page: Page; onClose(): void };

export function HelpDialog({ keys, page, onClose }: HelpProps) {
  const groups = [
    { title: page.title, keys: page.keys ?? [] },
    { title: "Everywhere", keys },
    { title: "Views", keys: viewKeys },
  ];
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p>
        Everything that the page shows is in its address: copy it, and whoever opens it sees the same. Everything that a
        click does can be done with the controls, too.
      </p>
      <div class="pair">
        {groups
          .filter((group) => group.keys.length > 0)
          .map((group) => (
            <section key={group.title}>
              <h3>{group.title}</h3>
              <dl class="keys">
                {group.keys.map(({ key, says }) => (
                  <div class="row" key={key}>
                    <dt>
                      <kbd>{keyName(key)}</kbd>
                    </dt>
                    <dd>{says}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  );
}
