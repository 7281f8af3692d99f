/** The options of `equitopo worker`, for every kind of peer that it can be. */

import { defaultTimeout } from "equitopo/peer";
import type { ConnectOptions } from "../../peers/connect.ts";
import { logLevelFlag } from "../../peers/fault-log.ts";
import { between, type CommonOptions, type Given, numbers, on, preset, whole, word } from "../../terminal/flags.ts";

export const flags = {
  join: word("<LINK>", "take a seat in a room by its invite link (equitopo serve); - reads it from stdin"),
  rank: whole("<R>", "this peer's number, from 0 (under mpirun: MPI's rank)", 0, 3),
  ranks: numbers("<LIST>", "several peers as threads of this program, which reach the others over TCP", "0,1,2"),
  hosts: word("<FILE>", "one host:port a line, peer 0 first (see equitopo cluster init)"),
  listen: word("<ADDR>", "where to listen, where that is not this peer's line in --hosts"),
  tls: word("<DIR>", "mutual TLS with the authority and certificates of equitopo cluster init"),
  key: word("<FILE>", "a pre-shared key (equitopo cluster init --key)"),
  insecure: on("plain TCP off this machine, where everyone on the network may read and write"),
  checkpoint: word("<FILE>", "kept up to date (%r: the rank); where it exists, the peer goes on from it and rejoins"),
  checkpointEvery: whole("<K>", "iterations between two checkpoints (default: about 10 seconds)", 1, 10),
  timeout: preset(defaultTimeout, whole("<MS>", "the longest an exchange takes", 1, 1000)),
  startTimeout: preset(60_000, whole("<MS>", "to wait for all to come", 1, 60_000)),
  elastic: on(
    "members may come and go: agreed on by a majority (see equitopo guide cluster); seats are lines of --hosts",
  ),
  silence: whole(
    "<MS>",
    "with --elastic: a member that says nothing for so long is missed (default: 10000)",
    100,
    10_000,
  ),
  drop: between("<P>", "lose this share of the messages on purpose", 0, 1, 0.05),
  overlap: on("send while the gradient is computed (combine-then-adapt only)"),
  audit: whole("<K>", "repair gradient tracking every K iterations", 2, 100),
  history: word("<FILE>", "write down what is applied (%r: the rank), for equitopo verify --history"),
  out: word("<DIR>", "a new folder for this peer's model and metrics (%r: the rank)"),
  log: word(
    "<FILE>",
    "append what happens to peers, one JSON object a line (%r: the rank; see equitopo guide formats)",
  ),
  logLevel: logLevelFlag,
  aloneOk: on("exit code 0 even where nobody was met, peers never took part or most exchanges were void"),
  data: word("<DIR>", "the folder of data sets"),
  only: numbers("<LIST>", "of the spec's runs only these, from 0", "0,2"),
  report: word(
    "<WHERE>",
    "tell what happens: to a studio by its address, a file with it, env (EQUITOPO_STUDIO) or - (stdin), or through a launcher's local socket (and end with it)",
  ),
};

export interface WorkerOptions extends CommonOptions, Given<typeof flags>, Pick<ConnectOptions, "shared"> {
  /** Once it is known which peer this is. */
  readonly onRank?: (rank: number) => void;
}
