import { ButtonLink } from "#site/ui/button.tsx";
import { FormSection } from "../form/section.tsx";
import { pageTitle } from "../page-title.ts";

export const meta = pageTitle("Export");

export default function Export() {
  return (
    <FormSection
      title="Export"
      help="All that you wrote and gathered, in one zip: to keep, or to take elsewhere."
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>
          Articles, episodes, pages, media items and letters, each as Markdown and as JSON. Drafts are among
          them.
        </li>
        <li>Transcripts, categories, and the addresses that articles and episodes had before.</li>
        <li>Ventures, campaigns, engagements, social posts, and these settings.</li>
        <li>A list of all files with their addresses. The files themselves are not in the zip.</li>
        <li>Subscribers with their consent, comments, and what visitors sent.</li>
      </ul>
      <p className="text-sm text-muted">
        Another Rostrum reads in its essays and subscribers: Articles, Bring articles from elsewhere.
      </p>
      <p className="text-sm text-muted">
        It holds other people’s data: keep it where nobody else reads it. Each download is listed under
        Security. Accounts, former versions, analytics and listeners’ playlists are in a backup of the
        database only, which whoever looks after the installation can make.
      </p>
      <p>
        <ButtonLink to="/api/admin/export" reloadDocument tone="primary">
          Download Export
        </ButtonLink>
      </p>
    </FormSection>
  );
}
