import { siteContext } from "#site/context.ts";
import { today } from "#worker/settings/queries.ts";
import { FormSection } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ExportArchive } from "./export-archive.tsx";
import { ExportFiles } from "./export-files.tsx";
import { DownloadButton } from "../shell/download-link.tsx";
import type { Route } from "./+types/export";

export const meta = pageTitle("Export");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { plan, siteUrl } = ctx.config;
  const day = await load(today(ctx));
  return { isFree: plan === "free", fileName: `${new URL(siteUrl).hostname}-${day}.zip` };
}

export default function Export({ loaderData: { isFree, fileName } }: Route.ComponentProps) {
  return (
    <>
      {isFree ? <ArchiveSection fileName={fileName} /> : <ExportSection />}
      <ExportFiles isFree={isFree} />
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
      <li>Ventures, campaigns, engagements, social posts, and these settings.</li>
      <li>A list of all files with their addresses and hashes. The files themselves are below.</li>
      <li>Subscribers with their consent, comments, and what visitors sent.</li>
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
    <ExportArchive fileName={fileName} />
  </FormSection>
);

const Secrecy = () => (
  <p className="text-sm text-muted">
    The zip has other people’s data, and the key that signs the links in letters: store it like a password.
    Each download is listed under Security.
  </p>
);
