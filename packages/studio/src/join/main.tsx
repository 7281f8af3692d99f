/** The page with which a browser takes a seat in a run. */

import { render } from "preact";

render(<p>no room</p>, document.getElementById("app") as HTMLElement);
