import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { listImports } from "#worker/imports/import-queries.ts";
import { RESTORE } from "#worker/restores/contract.ts";
import { readRestoreState } from "#worker/restores/queries.ts";
import { FormerImports } from "../moving-in/former-imports.tsx";
import { Steps } from "../moving-in/wizard/steps.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { restores } from "./restores.ts";
import { archiveSource } from "./source.tsx";
import type { Route } from "./+types/page";

export const meta = pageTitle("Restore");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ reason }, imports] = await load(
    Promise.all([readRestoreState(ctx), listImports(ctx, { kind: RESTORE, before })]),
  );
  return { reason, imports, before };
}

/** Where an archive is chosen, and the restores before. */
export default function Restore({ loaderData: { reason, imports, before } }: Route.ComponentProps) {
  const started = imports.items.find(({ state }) => state === "running" || state === "paused");
  return (
    <>
      <h2 className="mb-3 text-lg font-semibold">Restore</h2>
      <p className="mb-6 max-w-2xl text-muted">
        Turns an empty site into the archived one: every text, address, subscriber and figure, with the same
        ids, dates and feeds.
      </p>
      {started ? (
        <p className="max-w-2xl border-l-4 border-signal pl-3">
          <span>This site is being restored. </span>
          <Link to={`${restores.path}/${started.id}`} className="link">
            See its progress, or cancel it
          </Link>
        </p>
      ) : reason === null ? (
        <Steps source={archiveSource} />
      ) : (
        <p className="max-w-2xl border-l-4 border-signal pl-3">{reason}</p>
      )}
      <FormerImports
        imports={imports.items}
        next={imports.next}
        before={before}
        source={restores}
        work="restore"
      />
    </>
  );
}
