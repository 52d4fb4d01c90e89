import { ButtonLink } from "#site/ui/button.tsx";
import { FormSection } from "../form/section.tsx";
import { ExportFiles } from "./export-files.tsx";
import { pageTitle } from "../shell/page-title.ts";

export const meta = pageTitle("Export");

export default function Export() {
  return (
    <>
      <FormSection
        title="Export"
        help="Everything you wrote and collected, in one zip. Keep it, or take it elsewhere."
      >
        <ul className="grid list-disc gap-2 pl-5">
          <li>
            Articles, episodes, pages, media items and letters, each as Markdown and JSON, including drafts.
          </li>
          <li>Transcripts, categories, and old addresses of articles and episodes.</li>
          <li>Ventures, campaigns, engagements, social posts, and these settings.</li>
          <li>A list of all files with their addresses and hashes. The files themselves are below.</li>
          <li>Subscribers with their consent, comments, and what visitors sent.</li>
        </ul>
        <p className="text-sm text-muted">
          An empty Rostrum becomes this site from it: Settings ▸ Restore. For that it also has earlier
          versions, figures, listeners’ playlists, and accounts without their passwords. A Rostrum that isn’t
          empty can import the essays and subscribers: Articles ▸ Import.
        </p>
        <p className="text-sm text-muted">
          The zip has other people’s data, and the key that signs the links in letters: store it like a
          password. Each download is listed under Security.
        </p>
        <p>
          <ButtonLink to="/api/admin/export" reloadDocument tone="primary">
            Download export
          </ButtonLink>
        </p>
      </FormSection>
      <ExportFiles />
    </>
  );
}
