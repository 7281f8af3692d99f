/** The studio's page. */

import { useSignal } from "@preact/signals";
import { render } from "preact";
import WorkWorker from "./work.worker.ts?worker&inline";

const worker = new WorkWorker();

function App() {
  const rate = useSignal(Number.NaN);
  worker.onmessage = ({ data }) => {
    rate.value = data;
  };
  return <p id="rate">{rate.value}</p>;
}

render(<App />, document.getElementById("app") as HTMLElement);
worker.postMessage({ name: "od-equidyn", n: 300 });
