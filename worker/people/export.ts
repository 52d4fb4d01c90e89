import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { heldKinds, PersonExportQuery, type Held, type HeldKind } from "#worker/people/contract.ts";
import { eventOf, holdings } from "#worker/people/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { streamOf } from "#worker/platform/http/stream.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/** Rows that are in memory at a time. */
const SLICE = 200;

/**
 * All data about the person with an address, streamed. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`
 */
export async function exportPerson(ctx: Context, input: PersonExportQuery) {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  const { email, format } = parseInput(PersonExportQuery, input);
  await eventOf(ctx, "person_exported");
  await noticeExport(ctx, "A person’s data");
  const slices = readSlices(ctx, email);
  const text = format === "csv" ? csvOf(slices) : jsonOf(ctx, email, slices);
  return { format, body: streamOf(text) };
}

type Slice = { kind: HeldKind; items: Held[] };

/** Kind by kind, newest first. */
async function* readSlices(
  ctx: Context,
  email: string,
  kinds: readonly HeldKind[] = heldKinds,
): AsyncGenerator<Slice> {
  for (const kind of kinds) {
    for (let before: number | null = null; ;) {
      const rows = await holdings[kind].read(ctx, email, { before, limit: SLICE });
      if (rows.length > 0) yield { kind, items: rows };
      if (rows.length < SLICE) break;
      before = rows.at(-1)!.key;
    }
  }
}

/** These kinds of data about the person with an address, as JSON, piece by piece. */
export const personJson = (ctx: Context, email: string, kinds: readonly HeldKind[]) =>
  jsonOf(ctx, email, readSlices(ctx, email, kinds));

/** One object; each record has its kind. */
async function* jsonOf({ now }: Context, email: string, slices: AsyncGenerator<Slice>) {
  yield `{"email":${JSON.stringify(email)},"exportedAt":"${now.toISOString()}","records":[`;
  let separator = "";
  for await (const { kind, items } of slices) {
    for (const { id, at, title, data } of items) {
      yield separator + JSON.stringify({ kind, id, at: new Date(at).toISOString(), title, ...data });
      separator = ",\n";
    }
  }
  yield "]}\n";
}

const HEADER = ["kind", "id", "time", "field", "value"];

/** A line for each field. */
async function* csvOf(slices: AsyncGenerator<Slice>) {
  yield CSV_MARK + csvLines([HEADER]);
  for await (const { kind, items } of slices) {
    for (const { id, at, data } of items) {
      const time = new Date(at).toISOString();
      yield csvLines(Object.entries(data).map(([field, value]) => [kind, id, time, field, cellOf(value)]));
    }
  }
}

function cellOf(value: unknown) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
