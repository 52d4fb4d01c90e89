import { build, greet, PORT, prepare, ready, serve, STATE, tickEachMinute, tie } from "./local.ts";
import { lockState } from "./lock.ts";

lockState(STATE, PORT);
await build();
await prepare();
const server = serve();
tie(server);
await ready(server);
greet();
tickEachMinute();
