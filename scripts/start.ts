import {
  build,
  greet,
  holdOutput,
  PORT,
  prepare,
  ready,
  serve,
  STATE,
  tickEachMinute,
  tie,
} from "./local.ts";
import { lockState } from "./lock.ts";

lockState(STATE, PORT);
console.log("Building the site …");
await build();
console.log("Preparing the local database; the first time with a demo …");
await prepare();
console.log("Starting …");
const server = serve({ output: "pipe" });
const output = holdOutput(server);
server.once("close", () => output.showHeld());
tie(server);
await ready(server);
output.release();
greet();
tickEachMinute();
