import { siteContext } from "#site/context.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { PageForm } from "../form/form.tsx";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { FigureSections } from "./figure-sections.tsx";
import { FramesSection } from "./frames-section.tsx";
import { FrontPageSection } from "./front-page-section.tsx";
import { IdentitySection } from "./identity-section.tsx";
import { generalForm } from "./input.ts";
import { LinkSections } from "./link-sections.tsx";
import { saveSettings } from "./save.ts";
import { SupportersSection } from "./supporters-section.tsx";
import type { Route } from "./+types/general";

export const meta = pageTitle("General settings");

export const loader = async ({ context }: Route.LoaderArgs) => ({
  ...(await load(readSettings(context.get(siteContext)))),
  timeZones: Intl.supportedValuesOf("timeZone"),
});

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSettings(request, generalForm);

export default function General({
  loaderData: { site, siteUrl, timeZones, updatedAt },
}: Route.ComponentProps) {
  return (
    <PageForm submit="Save Changes" basedOn={updatedAt}>
      <IdentitySection site={site} siteUrl={siteUrl} timeZones={timeZones} />
      <FrontPageSection site={site} />
      <LinkSections site={site} />
      <SupportersSection site={site} />
      <FigureSections site={site} />
      <FramesSection site={site} />
    </PageForm>
  );
}
