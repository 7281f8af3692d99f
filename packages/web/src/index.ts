/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export type { Link, LinkListener } from "./link/link.ts";
