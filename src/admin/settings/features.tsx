import { siteContext } from "#site/context.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { Checkbox } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { featuresForm } from "./input.ts";
import { saveSettings } from "./save.ts";
import type { Route } from "./+types/features";

export const meta = pageTitle("Feature settings");

export const loader = ({ context }: Route.LoaderArgs) => load(readSettings(context.get(siteContext)));

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSettings(request, featuresForm);

export default function Features({
  loaderData: {
    site: { features },
    updatedAt,
  },
}: Route.ComponentProps) {
  return (
    <PageForm submit="Save Changes" basedOn={updatedAt}>
      <FormSection title="Features" help="A switch acts on the site and its API within a minute.">
        <Checkbox
          label="Newsletter"
          name="features.newsletter"
          defaultChecked={features.newsletter}
          help="The sign-up forms. Switched off, new sign-ups are refused; nobody is unsubscribed."
        />
        <Checkbox
          label="Comments"
          name="features.comments"
          disabled
          help="This version of the site has no comments yet."
        />
        <Checkbox
          label="Guest submissions"
          name="features.guestSubmissions"
          defaultChecked={features.guestSubmissions}
          help="The Be a Guest page and the links to it. Switched off, the page is not found."
        />
        <Checkbox
          label="Patreon"
          name="features.patreon"
          defaultChecked={features.patreon}
          help="Supporter tiers and the patron link on the podcast page. Switched off, they stay under General."
        />
      </FormSection>
    </PageForm>
  );
}
