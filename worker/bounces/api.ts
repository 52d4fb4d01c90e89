import { takeReport } from "#worker/bounces/commands.ts";
import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";

export const webhooksApi = router().post("/mail", async (c) => {
  const { webhookSecret } = c.var.ctx.config;
  if (webhookSecret === undefined) throw new AppError("not_found", "There is nothing at this address.");
  // The raw body: the signature covers these exact bytes.
  const body = await c.req.text();
  // Imported on demand: most isolates get no report.
  const { requireSignature } = await import("#worker/bounces/signature.ts");
  const id = requireSignature(webhookSecret, c.req.raw.headers, body);
  await takeReport(c.var.ctx, { id, event: eventIn(body) });
  return c.json({ success: true });
});

function eventIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError("bad_request", "The report is not valid JSON.");
  }
}
