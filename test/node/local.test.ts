import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "vitest";
import { DAILY, dueCrons, MINUTE, tickEachMinute } from "../../scripts/local.ts";

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test("the daily cron is due once its minute has passed, though nobody looked in that minute", () => {
  assert.deepEqual(dueCrons(at("03:16:59.990"), at("03:15:59.980")), [MINUTE]);
  assert.deepEqual(dueCrons(at("03:18:00.010"), at("03:16:59.990")), [MINUTE, DAILY]);
  assert.deepEqual(dueCrons(at("03:19:00.020"), at("03:18:00.010")), [MINUTE]);
});

test("the daily cron is due after a night asleep", () => {
  assert.deepEqual(dueCrons(at("09:00:00"), new Date("2026-11-20T23:00:00Z")), [MINUTE, DAILY]);
});

test("both crons fire at the start", { timeout: 10_000 }, async () => {
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
