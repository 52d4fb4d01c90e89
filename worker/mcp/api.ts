import { AppError } from "#worker/platform/errors.ts";
import { router } from "#worker/platform/http/router.ts";
import { readSender } from "#worker/settings/queries.ts";

/** The Model Context Protocol over HTTP, for a token: each message is a POST of its own. */
export const mcpApi = router().post("/", async (c) => {
  const { ctx } = c.var;
  if (ctx.actor.kind !== "user" || !ctx.actor.token)
    throw new AppError("unauthenticated", "Send an API token, made under Settings → Programs.");
  // A page of another site must not reach a server through a browser: the protocol requires it, whatever the token is.
  const origin = c.req.header("Origin");
  if (origin !== undefined && origin !== new URL(ctx.config.siteUrl).origin)
    throw new AppError("forbidden", "This request came from another site.");
  const { answerMessage, PARSE_ERROR, PROTOCOLS, rpcError } = await import("#worker/mcp/server.ts");
  const version = c.req.header("MCP-Protocol-Version");
  if (version !== undefined && !PROTOCOLS.includes(version))
    throw new AppError("bad_request", `This server speaks the protocol of ${PROTOCOLS.join(", ")}.`);
  const message: unknown = await c.req.json().catch(() => NOT_JSON);
  if (message === NOT_JSON) return c.json(rpcError(null, PARSE_ERROR, "This is not JSON."), 400);
  const { siteName } = await readSender(ctx);
  const answer = await answerMessage(ctx, message, siteName);
  if (answer === null) return c.body(null, 202);
  return c.json(answer, "error" in answer && answer.id === null ? 400 : 200);
});

const NOT_JSON = Symbol("not JSON");
