import { greet, prepare, ready, serveHot, tickEachMinute, tie } from "./local.ts";

await prepare();
const server = serveHot();
tie(server);
await ready(server);
greet();
tickEachMinute();
