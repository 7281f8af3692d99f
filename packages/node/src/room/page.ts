/** The one page that a room's server has, and the headers with which pages go out, the studio's too. */

import type { IncomingMessage, ServerResponse } from "node:http";

export interface Page {
  readonly html: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A built page as it is served; `about` (sealAbout) is what the room says to those who have its key. */
export function pageOf(built: Uint8Array, about?: string): Page {
  const text = new TextDecoder().decode(built);
  const facts = about === undefined ? "" : `<meta name="equitopo-room" content="${about}">`;
  return {
    html: Buffer.from(text.replace("</head>", `${facts}</head>`)),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policyOf(text),
      ...safeHeaders,
    },
  };
}

/** The page's own policy (its hashes are in it), and what a page cannot say for itself: nobody may put it into a frame. */
export function policyOf(page: string): string {
  const own = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'";
  return `${own}; frame-ancestors 'none'`;
}

export const safeHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** Answers a request that is no WebSocket. */
export function servePage(page: Page, request: IncomingMessage, response: ServerResponse): void {
  const answer = (status: number, text: string) => {
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...safeHeaders }).end(text);
  };
  const path = request.url?.split("?")[0];
  if (request.method !== "GET" && request.method !== "HEAD") answer(405, "only GET and HEAD\n");
  else if (path !== "/join") answer(404, "there is nothing here: open the whole invite link\n");
  else response.writeHead(200, page.headers).end(request.method === "GET" ? page.html : undefined);
}
