/** MPI as the transport of equitopo's peers: Open MPI or MPICH, whichever libmpi is found at run time. */

export { type Library, MpiError } from "./addon.ts";
export { type MpiOptions, MpiTransport } from "./transport.ts";
