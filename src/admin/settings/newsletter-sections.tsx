import type { Site } from "#worker/settings/contract.ts";
import { Checkbox, TextArea, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

type Props = { newsletter: Site["newsletter"] };

/** What letters say and where they are read. */
export const NewsletterSection = ({
  newsletter: { welcomeSubject, welcomeText, postalAddress, archive, countClicks },
}: Props) => (
  <FormSection title="Newsletter" help="Write letters in the Newsletter tab.">
    <TextField
      label="Welcome email subject"
      name="newsletter.welcomeSubject"
      defaultValue={welcomeSubject}
      help="Sent once, when a subscriber confirms. Leave blank to send no welcome email."
    />
    <TextArea
      label="Welcome email"
      name="newsletter.welcomeText"
      rows={8}
      defaultValue={welcomeText}
      help="Markdown: links as [words](https://…), a blank line between paragraphs. The unsubscribe link is added automatically."
    />
    <TextArea
      label="Postal address"
      name="newsletter.postalAddress"
      rows={3}
      defaultValue={postalAddress}
      help="Shown at the end of every letter. Spam laws in several countries, including the USA, require it. A post office box is fine."
    />
    <Checkbox
      label="Publish a letter archive"
      name="newsletter.archive"
      defaultChecked={archive}
      help="Under /letters, with a link in the footer. You choose for each letter whether it’s in the archive."
    />
    <Checkbox
      label="Count link clicks"
      name="newsletter.countClicks"
      defaultChecked={countClicks}
      help="How often each link in a letter was clicked, but not by whom. Opens are never counted."
    />
  </FormSection>
);

/** How fast letters leave. */
export const SendingSection = ({ newsletter: { perSecond, batchSize, perDay } }: Props) => (
  <FormSection
    title="Sending letters"
    help="What your provider allows. Individual emails, such as confirmations, don’t count."
  >
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        label="Letters per second"
        name="newsletter.perSecond"
        inputMode="numeric"
        defaultValue={perSecond ?? ""}
        help="Leave blank to send as fast as the provider accepts them."
      />
      <TextField
        label="Letters per day"
        name="newsletter.perDay"
        inputMode="numeric"
        defaultValue={perDay ?? ""}
        help="Days begin at midnight UTC. The rest is sent the next day. Leave blank for no limit."
      />
    </div>
    <TextField
      label="Letters per batch"
      name="newsletter.batchSize"
      inputMode="numeric"
      required
      defaultValue={batchSize}
      className="sm:max-w-60"
      help="From 10 to 100. Progress is recorded after each batch. Resend takes a batch in one request."
    />
  </FormSection>
);
