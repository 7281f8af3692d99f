/** What a thread of a crew loads to share a language problem's work. */

export { workOf as default } from "./work.ts";
