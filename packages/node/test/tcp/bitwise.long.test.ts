/** Peers over TCP give the simulator's numbers to the last bit. */

import { bitwise } from "../../../equitopo/test/peer/bitwise.ts";
import { openTcp } from "./open-tcp.ts";

bitwise("tcp", openTcp);
