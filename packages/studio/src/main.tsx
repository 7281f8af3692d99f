/** The studio's page. */

import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./store.ts";

export function startPage(): void {
  followAddress();
  render(<App />, document.getElementById("app") as HTMLElement);
}
