import { z } from "zod";

const Id = z.union([z.string(), z.number()]);
export type MessageId = z.infer<typeof Id>;

/** A message of JSON-RPC 2.0: a request, or without an id a notification. */
export const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: Id.optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});
