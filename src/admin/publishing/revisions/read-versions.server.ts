import { data } from "react-router";
import type { Context } from "#worker/platform/context.ts";
import { listRevisions, readRevisionWithFormer } from "#worker/revisions/queries.ts";

/** The versions of an item, and the one that the address of their page opens. */
export async function readVersions(
  ctx: Context,
  item: Parameters<typeof listRevisions>[1],
  params: URLSearchParams,
) {
  const version = params.get("version");
  if (version !== null && !/^[1-9]\d{0,14}$/.test(version))
    throw data({ message: "There’s no such version." }, { status: 404 });
  const [revisions, opened] = await Promise.all([
    listRevisions(ctx, item, { before: params.get("before") ?? undefined }),
    version === null ? null : readRevisionWithFormer(ctx, item, Number(version)),
  ]);
  return { revisions, opened };
}
