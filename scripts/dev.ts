import { greet, PORT, prepare, ready, serveHot, STATE, tickEachMinute, tie } from "./local.ts";
import { lockState } from "./lock.ts";

lockState(STATE, PORT);
await prepare();
const server = serveHot();
tie(server);
await ready(server);
greet();
tickEachMinute();
