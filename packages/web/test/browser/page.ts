/** What the tests call inside a page. */

export * from "../../src/browser/indexed-store.ts";
export * from "../../src/browser/page-hooks.ts";
