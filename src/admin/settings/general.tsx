import { siteContext } from "#site/context.ts";
import { areStepsDismissed } from "#worker/desk/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { currentTimeZone, listTimeZones } from "#worker/settings/time-zones.ts";
import { TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";
import { DismissedSteps, saveTick, TICK } from "../desk/first-steps.tsx";
import { PageForm } from "../form/form.tsx";
import { intentOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { FigureSections } from "./figure-sections.tsx";
import { FramesSection } from "./frames-section.tsx";
import { IdentitySection } from "./identity-section.tsx";
import { generalForm } from "./input.ts";
import { LinkSections } from "./link-sections.tsx";
import { saveSettings } from "./save.ts";
import { SupportersSection } from "./supporters-section.tsx";
import type { Route } from "./+types/general";

export const meta = pageTitle("General settings");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, ...settings }, areStepsGone, timeZones] = await load(
    Promise.all([readSettings(ctx), areStepsDismissed(ctx), listTimeZones()]),
  );
  const timeZone = await currentTimeZone(site.timeZone);
  return { ...settings, site: { ...site, timeZone }, areStepsGone, timeZones };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  return intentOf(form) === TICK ? saveTick(form) : saveSettings(request, generalForm);
}

export default function General({ loaderData: { areStepsGone, ...settings } }: Route.ComponentProps) {
  return (
    <>
      <GeneralForm {...settings} />
      {areStepsGone && <DismissedSteps />}
    </>
  );
}

type Props = Omit<Route.ComponentProps["loaderData"], "areStepsGone">;

function GeneralForm({ site, siteUrl, timeZones, updatedAt }: Props) {
  return (
    <PageForm submit="Save Changes" basedOn={updatedAt}>
      <IdentitySection site={site} siteUrl={siteUrl} timeZones={timeZones} />
      <LinkSections site={site} />
      <FeedsSection site={site} />
      <SupportersSection site={site} />
      <FigureSections site={site} />
      <FramesSection site={site} />
    </PageForm>
  );
}

const FeedsSection = ({ site }: { site: Site }) => (
  <FormSection title="Feeds" help="For the podcast and essays.">
    <TextField
      label="WebSub hub"
      name="hubUrl"
      type="url"
      inputMode="url"
      placeholder="https://pubsubhubbub.appspot.com/"
      defaultValue={site.hubUrl}
      help="Notified when a feed changes, so apps that use it update straight away. The hub above is public and free. Leave blank to let apps check on their own schedule."
    />
  </FormSection>
);
