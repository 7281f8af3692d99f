/** WebRTC data channels for Node peers. */

export type { Link } from "@equitopo/web";
