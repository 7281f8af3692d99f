/** How topologies look wherever they are drawn, on a command line's figures or on a page: the subpath `equitopo/picture`. */

export * from "./palette.ts";
