import { siteContext } from "#site/context.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { Checkbox, TextArea, TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
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
    site: { features, members, memberFeeds, spam, retention, passwords, tagManager },
    updatedAt,
  },
}: Route.ComponentProps) {
  return (
    <PageForm submit="Save Changes" basedOn={updatedAt}>
      <FormSection title="Features" help="Each switch takes effect on the site and its API within a minute.">
        <Checkbox
          label="Newsletter"
          name="features.newsletter"
          defaultChecked={features.newsletter}
          help="Sign-up forms. When off, nobody new can sign up; existing subscribers stay."
        />
        <Checkbox
          label="Comments"
          name="features.comments"
          defaultChecked={features.comments}
          help="Readers can comment on essays and episodes; each comment waits for you under Guests. When off, no comments are shown or accepted, but none are deleted."
        />
        <Checkbox
          label="Guest submissions"
          name="features.guestSubmissions"
          defaultChecked={features.guestSubmissions}
          help="The Be a Guest page, its form and the links to it. When off, the page is hidden and nobody can apply."
        />
        <Checkbox
          label="Patreon"
          name="features.patreon"
          defaultChecked={features.patreon}
          help="Supporter tiers and the patron link on the podcast page, and the support link in the podcast’s feed. When off, they’re hidden but stay saved under General and Podcast."
        />
        <Checkbox
          label="Members’ accounts"
          name="members.signIn"
          defaultChecked={members.signIn}
          help="Members sign in at /account with a link by email or a passkey, and see their membership and data. When off, the page and the links to it are hidden; memberships stay."
        />
        <Checkbox
          label="Members’ private feeds"
          name="memberFeeds.on"
          defaultChecked={memberFeeds.on}
          help="Each member can make an address of the podcast’s feed for their own app, at /account, which needs members’ accounts. When off, these addresses stop working, but none are deleted."
        />
        <TextField
          label="Days of grace"
          name="memberFeeds.graceDays"
          inputMode="numeric"
          defaultValue={memberFeeds.graceDays}
          help="For so long a private feed continues after its membership has ended, for example while a payment is late."
        />
      </FormSection>
      <SpamSection spam={spam} />
      <RetentionSection retention={retention} />
      <PasswordsSection passwords={passwords} />
      <TagManagerSection tagManager={tagManager} />
    </PageForm>
  );
}

const SpamSection = ({ spam: { words, links } }: Pick<Site, "spam">) => (
  <FormSection
    title="Spam"
    help="Submissions that match these go to spam and stay there for 30 days. Nothing is refused: the sender of an application, message or booking is asked by email to confirm it, which moves it out of spam."
  >
    <TextArea
      label="Words"
      name="spam.words"
      rows={6}
      defaultValue={words.join("\n")}
      help="One per line: a word, or part of a link or an address. Capitals don’t matter."
    />
    <TextField
      label="Most links allowed"
      name="spam.links"
      inputMode="numeric"
      defaultValue={links}
      help="Submissions with more links go to spam. An application’s LinkedIn profile doesn’t count."
    />
  </FormSection>
);

const PasswordsSection = ({ passwords: { breachService } }: Pick<Site, "passwords">) => (
  <FormSection
    title="New passwords"
    help="Common passwords, and those made of the site’s own names, are always refused. A service can also be asked whether a new password has leaked elsewhere."
  >
    <TextField
      label="Service of leaked passwords"
      name="passwords.breachService"
      type="url"
      placeholder="https://api.pwnedpasswords.com"
      defaultValue={breachService}
      help="Leave blank to ask none. It learns five digits of the password’s SHA-1, which hundreds of passwords share, and neither the password nor whose it is. If it doesn’t answer, the password is accepted."
    />
  </FormSection>
);

const RetentionSection = ({ retention: { enquiries, comments } }: Pick<Site, "retention">) => (
  <FormSection
    title="How long it’s kept"
    help="Whole months from the day it arrived; it’s then deleted overnight. Leave blank to keep it forever. The privacy policy says 24 months for enquiries: if you change it here, change it there too."
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
        label="Comments not shown"
        name="retention.comments"
        inputMode="numeric"
        defaultValue={comments ?? ""}
        help="Pending and rejected ones. Spam: 30 days."
      />
    </div>
  </FormSection>
);
