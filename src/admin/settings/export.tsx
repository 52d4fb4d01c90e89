import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { WHILE_RESTORING } from "#worker/exports/contract.ts";
import { findStartedRestore } from "#worker/restores/queries.ts";
import { today } from "#worker/settings/queries.ts";
import { FormSection } from "../form/section.tsx";
import { restores } from "../restore/restores.ts";
import { DownloadButton } from "../shell/download-button.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ExportFiles } from "./export-files.tsx";
import { makeArchive } from "./make-archive.ts";
import { MakeZip } from "./make-zip.tsx";
import type { Route } from "./+types/export";

export const meta = pageTitle("Export");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { plan, siteUrl } = ctx.config;
  const [day, restore] = await load(Promise.all([today(ctx), findStartedRestore(ctx)]));
  return {
    isFree: plan === "free",
    isRestoring: restore !== null,
    site: siteUrl,
    fileName: `${new URL(siteUrl).hostname}-${day}.zip`,
  };
}

export default function Export({ loaderData }: Route.ComponentProps) {
  const { isFree, isRestoring, site, fileName } = loaderData;
  if (isRestoring)
    return (
      <FormSection title="Export" help="Everything you wrote and collected, in one zip.">
        <div className="grid max-w-2xl gap-2 border-l-4 border-signal pl-3">
          <p>{WHILE_RESTORING}</p>
          <p>
            <Link to={restores.path} className="link">
              Open Restore
            </Link>
          </p>
        </div>
      </FormSection>
    );
  return (
    <>
      {isFree ? <ArchiveSection fileName={fileName} /> : <ExportSection />}
      <ExportFiles isFree={isFree} site={site} />
    </>
  );
}

const ExportSection = () => (
  <FormSection
    title="Export"
    help="Everything you wrote and collected, in one zip. Keep it, or take it elsewhere."
  >
    <ul className="grid list-disc gap-2 pl-5">
      <li>
        Articles, episodes, pages, media items and letters, each as Markdown and JSON, including drafts.
      </li>
      <li>Transcripts, categories, and old addresses of articles and episodes.</li>
      <li>
        People of the podcast, ventures, campaigns, engagements, social posts, automatic letters, and these
        settings.
      </li>
      <li>A list of all files with their addresses and hashes. The files themselves are below.</li>
      <li>Subscribers with their consent, members and their tiers, comments, and what visitors sent.</li>
    </ul>
    <p className="text-sm text-muted">
      An empty Rostrum becomes this site from it: Settings ▸ Restore. For that it also has earlier versions,
      figures, listeners’ playlists, and accounts without their passwords. A Rostrum that isn’t empty can
      import the essays and subscribers: Articles ▸ Import.
    </p>
    <Secrecy />
    <p>
      <DownloadButton to="/api/admin/export" tone="primary">
        Download export
      </DownloadButton>
    </p>
  </FormSection>
);

const ArchiveSection = ({ fileName }: { fileName: string }) => (
  <FormSection
    title="Export"
    help="Everything you wrote and collected, in one zip from which an empty Rostrum becomes this site: Settings ▸ Restore."
  >
    <p className="text-sm text-muted">
      Cloudflare’s free plan ends long requests. So this page reads your site in small pieces and makes the
      zip in your browser.
    </p>
    <p className="text-sm text-muted">
      It has no Markdown for other programs. For that, restore it on your computer with
      <code>{" npm run restore "}</code>
      and export it there: the site on your computer has no such limits.
    </p>
    <Secrecy />
    <MakeZip
      label="Make the archive"
      again="Make it again"
      isPrimary
      progress="Reading the site"
      fileName={fileName}
      make={makeArchive}
    />
  </FormSection>
);

const Secrecy = () => (
  <p className="text-sm text-muted">
    The zip has other people’s data, and the key that signs the links in letters: store it like a password.
    Each download is listed under Security.
  </p>
);
