import { conformance } from "../../../equitopo/test/peer/conformance.ts";
import { portLink } from "../../src/link/port-link.ts";
import { openLinks, type Pair } from "./open-links.ts";

const ports = (): Pair => {
  const { port1, port2 } = new MessageChannel();
  return [portLink(port1), portLink(port2)];
};

conformance("ports", (size, options) => openLinks(size, ports, options));
