import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { test } from "vitest";
import { DAILY, dueCrons, holdOutput, MINUTE, tickEachMinute } from "../../scripts/local.ts";
import { captureNode } from "../../scripts/tools.ts";

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test("the daily cron is due after its minute, even if it was not checked in that minute", () => {
  assert.deepEqual(dueCrons(at("03:16:59.990"), at("03:15:59.980")), [MINUTE]);
  assert.deepEqual(dueCrons(at("03:18:00.010"), at("03:16:59.990")), [MINUTE, DAILY]);
  assert.deepEqual(dueCrons(at("03:19:00.020"), at("03:18:00.010")), [MINUTE]);
});

test("the daily cron is due after a night asleep", () => {
  assert.deepEqual(dueCrons(at("09:00:00"), new Date("2026-11-20T23:00:00Z")), [MINUTE, DAILY]);
});

test("both crons fire at the start", async () => {
  const fired: (string | null)[] = [];
  const server = createServer((request, response) => {
    fired.push(new URL(request.url ?? "", "http://localhost").searchParams.get("cron"));
    response.writeHead(200, { Connection: "close" }).end();
    if (fired.length === 2) server.close();
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  tickEachMinute((server.address() as AddressInfo).port);
  await once(server, "close");
  assert.deepEqual(fired, [MINUTE, DAILY]);
});

test("a server's output is hidden until it answers, and its request lines always", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shown: string[] = [];
  const output = holdOutput({ stdout, stderr }, (line) => void shown.push(line));
  const say = async (stream: PassThrough, line: string) => {
    stream.write(`${line}\n`);
    await turn();
  };
  await say(stdout, "Your Worker has access to the following bindings:");
  await say(stderr, "Scheduled Workers are not automatically triggered during local development.");
  output.release();
  await say(stdout, "[wrangler:info] GET /cdn-cgi/handler/scheduled 200 OK (12ms)");
  await say(stdout, "[mail] to=owner@example.com");
  await say(stderr, "an error of the Worker's");
  assert.deepEqual(shown, ["[mail] to=owner@example.com", "an error of the Worker's"]);
});

test("the output of a server that ended before answering is shown", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shown: string[] = [];
  const output = holdOutput({ stdout, stderr }, (line) => void shown.push(line));
  stderr.write("Address already in use.\n");
  await turn();
  output.showHeld();
  assert.deepEqual(shown, ["Address already in use."]);
});

test("a step of the start that fails shows all that it said", async () => {
  const step = "console.log('compiled'); console.error('no such table'); process.exit(3)";
  await assert.rejects(captureNode(["-e", step]), /compiled[^]*no such table[^]*ended with 3/);
  assert.equal(await captureNode(["-e", "console.log('done')"]), "done\n");
});
