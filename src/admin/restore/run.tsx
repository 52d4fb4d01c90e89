import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { counted } from "#site/ui/format.ts";
import { ItemListQuery } from "#worker/imports/contract.ts";
import { readRestore } from "#worker/restores/queries.ts";
import { listQueryOf } from "../lists/list-filters.tsx";
import { actOnImport } from "../moving-in/act-on-import.ts";
import { ItemList } from "../moving-in/item-list.tsx";
import { importStateTones, stateNameOf } from "../moving-in/state-names.ts";
import { useImportProgress } from "../moving-in/use-import-progress.ts";
import { RunView } from "../moving-in/wizard/run-view.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { restores } from "./restores.ts";
import { stepNameOf, tableNameOf } from "./step-names.ts";
import type { ComparedTable, RestoreReport } from "#worker/restores/contract.ts";
import type { Route } from "./+types/run";

export const meta = pageTitle("Restore");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, ItemListQuery, "steps");
  return { ...(await load(readRestore(ctx, Number(params.id), query))), query };
}

export const clientAction = async ({ request, params: { id } }: Route.ClientActionArgs) =>
  actOnImport(await request.formData(), id, "restore");

/** A restore that runs, and then its report. */
export default function RestoreRun({ loaderData }: Route.ComponentProps) {
  const { progress: loaded, items, query, report } = loaderData;
  const progress = useImportProgress(loaded);
  const { id, state, source } = progress;
  return (
    <div className="grid gap-8">
      <div className="grid gap-4">
        <div>
          <Link to={restores.path} className="link text-sm">
            {restores.title}
          </Link>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{source}</h2>
          <Badge tone={importStateTones[state]}>{stateNameOf(progress)}</Badge>
        </div>
        {state === "open" ? (
          <p className="max-w-2xl text-muted">
            Only part of the archive was sent, so nothing was restored. Choose it again.
          </p>
        ) : (
          <RunView progress={progress} noun={restores.many} work="restore">
            What is restored already stays, so this site is no longer empty. What is scheduled becomes a
            draft. To restore again, start with a new site.
          </RunView>
        )}
        {(state === "running" || state === "paused") && (
          <p className="max-w-2xl text-sm text-muted">
            Until it has ended, nothing can be changed here, and what is scheduled is neither published, sent
            nor deleted.
          </p>
        )}
        {state === "cancelled" && (
          <p className="max-w-2xl border-l-4 border-signal pl-3">
            Only a part of the archive is here. What was scheduled is a draft: before you schedule a letter
            again, check its subscribers. To restore the whole archive, start with a new site.
          </p>
        )}
        {state === "done" && (
          <>
            <Comparison {...report} />
            <p className="max-w-2xl">
              <span>The site is restored. In </span>
              <Link to="/admin/users" className="link">
                Users
              </Link>
              <span>, send each account a link to choose a new password.</span>
            </p>
          </>
        )}
      </div>
      <ItemList
        {...items}
        path={`${restores.path}/${id}`}
        query={query}
        state={state}
        noun={restores.many}
        work="restore"
        nameOf={stepNameOf}
      />
    </div>
  );
}

function Comparison({ tables, expected, different, files }: RestoreReport) {
  const { other: otherFiles, unread } = files;
  const others = `${counted(otherFiles, "file")} of the archive ${otherFiles === 1 ? "is" : "are"} missing here, or different. The steps below name them.`;
  return (
    <>
      {different.length === 0 && (
        <p className="max-w-2xl">
          {`${expected.length === 0 ? `All ${tables} tables` : `All ${tables} tables, but for the differences below,`} ${otherFiles === 0 && unread === 0 ? "and all files are" : "are"} the same as in the archive.`}
        </p>
      )}
      {different.length > 0 && (
        <div className="grid max-w-2xl gap-2 border-l-4 border-signal pl-3">
          <p>
            {`${different.length} of ${tables} tables have rows that are not the archive’s. Visitors may have changed them during the restore. Otherwise, restore again into a new site.`}
          </p>
          <Tables tables={different} />
        </div>
      )}
      {otherFiles > 0 && <p className="max-w-2xl border-l-4 border-signal pl-3">{others}</p>}
      {unread > 0 && (
        <p className="max-w-2xl">
          {`${counted(unread, "file")} ${unread === 1 ? "has" : "have"} the size of the archive’s, and ${unread === 1 ? "was" : "were"} not read: the free plan has no time for files larger than 2 MB.`}
        </p>
      )}
      {expected.length > 0 && (
        <section aria-labelledby="expected" className="grid max-w-2xl gap-2">
          <h3 id="expected" className="font-semibold">
            Different on purpose
          </h3>
          <Tables tables={expected} />
        </section>
      )}
    </>
  );
}

const Tables = ({ tables }: { tables: ComparedTable[] }) => (
  <ul className="grid list-disc gap-1 pl-5 text-sm">
    {tables.map(({ table, message }) => (
      <li key={table} className="wrap-anywhere">
        <span className="font-medium">{sentence(tableNameOf(table))}</span>
        <span>{`: ${message}`}</span>
      </li>
    ))}
  </ul>
);

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
