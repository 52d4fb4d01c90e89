import { siteContext } from "#site/context.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { Checkbox, TextArea, TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { featuresForm } from "./input.ts";
import { saveSettings } from "./save.ts";
import { TagManagerSection } from "./tag-manager-section.tsx";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/features";

export const meta = pageTitle("Feature settings");

export const loader = ({ context }: Route.LoaderArgs) => load(readSettings(context.get(siteContext)));

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSettings(request, featuresForm);

export default function Features({
  loaderData: {
    site: { features, spam, retention, tagManager },
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
          defaultChecked={features.comments}
          help="Readers comment on essays and episodes; each comment waits for you under Guests. Switched off, none are shown or taken; what was written stays stored."
        />
        <Checkbox
          label="Guest submissions"
          name="features.guestSubmissions"
          defaultChecked={features.guestSubmissions}
          help="The Be a Guest page, its form and the links to it. Switched off, the page is not found, and no application is taken."
        />
        <Checkbox
          label="Patreon"
          name="features.patreon"
          defaultChecked={features.patreon}
          help="Supporter tiers and the patron link on the podcast page, and the support link in the podcast’s feed. Switched off, they stay under General and under Podcast."
        />
      </FormSection>
      <SpamSection spam={spam} />
      <RetentionSection retention={retention} />
      <TagManagerSection tagManager={tagManager} />
    </PageForm>
  );
}

const SpamSection = ({ spam: { words, links } }: Pick<Site, "spam">) => (
  <FormSection
    title="Spam"
    help="What visitors send with these goes to the spam, where it can be read for 30 days. Nothing is refused: who sends an application, message or booking is asked by email to confirm it, and it then leaves the spam."
  >
    <TextArea
      label="Words"
      name="spam.words"
      rows={6}
      defaultValue={words.join("\n")}
      help="One a line: a word, or a part of a link or an address. Capitals do not matter."
    />
    <TextField
      label="Links at most"
      name="spam.links"
      inputMode="numeric"
      defaultValue={links}
      help="With more links it is taken for spam. An application's LinkedIn profile does not count."
    />
  </FormSection>
);

const RetentionSection = ({ retention: { enquiries, comments } }: Pick<Site, "retention">) => (
  <FormSection
    title="How long it is kept"
    help="In whole months from the day that it came; then it is deleted in the night. Empty: for ever. The privacy policy says 24 for enquiries: change it there, too."
  >
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        label="Enquiries"
        name="retention.enquiries"
        inputMode="numeric"
        defaultValue={enquiries ?? ""}
        help="Applications, messages and bookings, with notes and answers. Spam: 30 days."
      />
      <TextField
        label="Comments that are not shown"
        name="retention.comments"
        inputMode="numeric"
        defaultValue={comments ?? ""}
        help="Pending and rejected ones. Spam: 30 days."
      />
    </div>
  </FormSection>
);
