import { z } from "zod";
import { MissingScope, requireScopes, requireUser } from "#worker/access/capabilities.ts";
import { recordRefusal } from "#worker/accounts/refusals.ts";
import { recordTokenWrite } from "#worker/accounts/tokens.ts";
import { Message, type MessageId } from "#worker/mcp/contract.ts";
import { scopesOfTool, tools, type AnyTool } from "#worker/mcp/tools.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";
import { requireNoRestore } from "#worker/restores/queries.ts";

/**
 * A server of the Model Context Protocol without state: each message is answered alone. It has tools, and neither
 * sessions, streams nor requests of its own. https://modelcontextprotocol.io/specification/2025-11-25
 */

/** The newest first. */
export const PROTOCOLS = ["2025-11-25", "2025-06-18", "2025-03-26"];

const Initialize = z.looseObject({ protocolVersion: z.string() });
const Call = z.looseObject({ name: z.string(), arguments: z.looseObject({}).default({}) });

/** Codes of JSON-RPC 2.0 §5.1. */
const INVALID_REQUEST = -32_600;
const NO_SUCH_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
export const PARSE_ERROR = -32_700;

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const rpcError = (id: MessageId | null, code: number, message: string) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code, message },
});

/** The answer to a message; null to a notification, which has none. */
export async function answerMessage(ctx: Context, given: unknown, siteName: string) {
  const parsed = Message.safeParse(given);
  if (!parsed.success) return rpcError(null, INVALID_REQUEST, "This is not a message of JSON-RPC 2.0.");
  const { id, method, params = {} } = parsed.data;
  if (id === undefined || method === undefined) return null;
  try {
    return { jsonrpc: "2.0" as const, id, result: await resultOf(ctx, method, params, siteName) };
  } catch (error) {
    if (error instanceof RpcError) return rpcError(id, error.code, error.message);
    throw error;
  }
}

async function resultOf(ctx: Context, method: string, params: object, siteName: string) {
  switch (method) {
    case "initialize":
      return initialize(paramsOf(Initialize, params).protocolVersion, siteName);
    case "ping":
      return {};
    case "tools/list":
      return {
        tools: Object.entries(tools)
          .filter(([, tool]) => mayUse(ctx, tool))
          .map(describe),
      };
    case "tools/call":
      return call(ctx, paramsOf(Call, params));
    default:
      throw new RpcError(NO_SUCH_METHOD, `There is no method ${method}.`);
  }
}

function paramsOf<S extends z.ZodType>(schema: S, params: object): z.output<S> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new RpcError(INVALID_PARAMS, "The parameters are not valid.");
  return parsed.data;
}

const initialize = (asked: string, siteName: string) => ({
  protocolVersion: PROTOCOLS.includes(asked) ? asked : PROTOCOLS[0]!,
  capabilities: { tools: {} },
  serverInfo: { name: "rostrum", title: siteName, version: "1" },
  instructions:
    "Times are milliseconds UTC. What is written is a draft until it is published, which the owner decides.",
});

function mayUse(ctx: Context, tool: AnyTool) {
  try {
    requireScopes(ctx, scopesOfTool(tool));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const writes = ({ route }: Pick<AnyTool, "route">) => !route.startsWith("GET ");

function describe([name, { title, description, input, route }]: [string, AnyTool]) {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
  });
  return { name, title, description, inputSchema, annotations: { readOnlyHint: !writes({ route }) } };
}

/** A refusal is a result that the model reads, so that it can correct its call. */
async function call(ctx: Context, { name, arguments: given }: z.output<typeof Call>) {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) throw new RpcError(INVALID_PARAMS, `There is no tool ${name}.`);
  try {
    requireScopes(ctx, scopesOfTool(tool));
    if (writes(tool)) await requireNoRestore(ctx);
    const answer = await tool.run(ctx, parseInput(tool.input, given) as never);
    if (writes(tool)) ctx.later(recordTokenWrite(ctx, tool.route));
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof MissingScope) {
      const { email } = requireUser(ctx);
      ctx.later(recordRefusal(ctx, { kind: "access_refused", email, detail: tool.route }));
    }
    const place = error.field === undefined ? "" : ` (${error.field})`;
    return { content: [{ type: "text", text: `${error.message}${place}` }], isError: true };
  }
}
