import { siteContext } from "#site/context.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { FileListQuery, type LibraryFile } from "#worker/files/contract.ts";
import { listFiles, listUnfinishedFiles } from "#worker/files/library/queries.ts";
import { errorPage } from "#site/admin/shell/error-page.tsx";
import { FilterSelect, ListFilters, ListPages, listQueryOf } from "#site/admin/lists/list-filters.tsx";
import { load } from "#site/admin/shell/load.server.ts";
import { pageTitle } from "#site/admin/shell/page-title.ts";
import { saved } from "#site/admin/form/submit.ts";
import { BinLink } from "#site/admin/lists/bin-link.tsx";
import { undoDeletion } from "#site/admin/lists/undo-deletion.ts";
import { useDeleteQuestion } from "#site/admin/lists/list-page.tsx";
import { deleteFile, DeleteFileDialog, FILE_DELETED } from "./delete-dialog.tsx";
import { FileGrid } from "./file-grid.tsx";
import { kindNames, LIBRARY } from "./describe-file.ts";
import { UnfinishedFiles } from "./unfinished-files.tsx";
import { UploadArea } from "./upload-area.tsx";
import type { Route } from "./+types/list";

export const meta = pageTitle("Files");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const query = listQueryOf(url.searchParams, FileListQuery, "files");
  const isFirst = Object.keys(query).length === 0;
  const [list, unfinished] = await load(
    Promise.all([listFiles(ctx, query), isFirst ? listUnfinishedFiles(ctx) : []]),
  );
  return { ...list, query, unfinished };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const id = String(form.get("id"));
  return deleteFile(form, id, () => saved(form, FILE_DELETED, { undo: undoDeletion("file", id) }));
}

export default function FileLibrary({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, query, unfinished } = loaderData;
  const { before: _before, ...filters } = query;
  const deletion = useDeleteQuestion<LibraryFile>(actionData);
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Files</h1>
      <UploadArea />
      <UnfinishedFiles uploads={unfinished} />
      <ListFilters path={LIBRARY} filters={filters}>
        <FilterSelect label="Kind" name="kind" value={filters.kind} options={Object.entries(kindNames)} />
        <FilterSelect
          label="Use"
          name="used"
          value={filters.used}
          options={[
            ["yes", "Used"],
            ["no", "Unused"],
          ]}
        />
      </ListFilters>
      {items.length === 0 ? (
        <Nothing isFiltered={Object.keys(query).length > 0} />
      ) : (
        <FileGrid files={items} onDelete={deletion.ask} />
      )}
      <ListPages path={LIBRARY} query={query} count={items.length} next={next} noun="files" />
      <BinLink />
      <DeleteFileDialog file={deletion.item} onClose={deletion.close} />
    </>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No files found">Try other words, or clear the search.</EmptyState>
  ) : (
    <EmptyState title="No files yet">
      Upload the first ones above. Files you upload to an article or an episode appear here too.
    </EmptyState>
  );

export const ErrorBoundary = errorPage("Failed to fetch files");
