/** A link to the view with a part changed: followed within the page, and opened beside it as any link. */

import type { ComponentChildren } from "preact";
import { change, linkTo } from "../store.ts";
import type { Change } from "../view/view.ts";

type ViewLinkProps = { shows: Change; children: ComponentChildren; label?: string; isHere?: boolean };

export function ViewLink({ shows, children, label, isHere }: ViewLinkProps) {
  const follow = (event: Event) => {
    event.preventDefault();
    change(shows);
  };
  return (
    <a href={linkTo(shows)} aria-label={label} aria-current={isHere ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
