import { build, greet, prepare, ready, serve, tickEachMinute, tie } from "./local.ts";

await build();
await prepare();
const server = serve();
tie(server);
await ready(server);
greet();
tickEachMinute();
