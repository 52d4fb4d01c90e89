import type { Site } from "#worker/settings/contract.ts";
import { Checkbox, TextArea, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

type Props = { newsletter: Site["newsletter"] };

/** What letters say and where they are read. */
export const NewsletterSection = ({
  newsletter: { welcomeSubject, welcomeText, postalAddress, archive, countClicks },
}: Props) => (
  <FormSection title="Newsletter" help="Letters are written under Newsletter.">
    <TextField
      label="Subject of the welcome mail"
      name="newsletter.welcomeSubject"
      defaultValue={welcomeSubject}
      help="Sent once, when somebody confirms their address. Empty: no welcome mail."
    />
    <TextArea
      label="Welcome mail"
      name="newsletter.welcomeText"
      rows={8}
      defaultValue={welcomeText}
      help="Markdown: links as [words](https://…), paragraphs by an empty line. The unsubscribe link is added."
    />
    <TextArea
      label="Postal address"
      name="newsletter.postalAddress"
      rows={3}
      defaultValue={postalAddress}
      help="In the foot of every letter. Laws of several countries, the USA among them, ask for it. A post-office box will do."
    />
    <Checkbox
      label="Letters can be read on the site"
      name="newsletter.archive"
      defaultChecked={archive}
      help="Under /letters, with a link in the footer. Each letter says for itself whether it is there; one that was sent, on its report."
    />
    <Checkbox
      label="Count presses of links"
      name="newsletter.countClicks"
      defaultChecked={countClicks}
      help="How often each link of a letter was pressed, not by whom. Whether a letter was opened is never counted."
    />
  </FormSection>
);

/** How fast letters leave. */
export const SendingSection = ({ newsletter: { perSecond, batchSize, perDay } }: Props) => (
  <FormSection
    title="Sending letters"
    help="What your provider allows. Mails that somebody waits for do not count."
  >
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        label="Letters a second"
        name="newsletter.perSecond"
        inputMode="numeric"
        defaultValue={perSecond ?? ""}
        help="Empty: as fast as the provider takes them."
      />
      <TextField
        label="Letters a day"
        name="newsletter.perDay"
        inputMode="numeric"
        defaultValue={perDay ?? ""}
        help="Days begin at midnight UTC; the rest goes on the next day. Empty: no limit."
      />
    </div>
    <TextField
      label="Letters in a batch"
      name="newsletter.batchSize"
      inputMode="numeric"
      required
      defaultValue={batchSize}
      className="sm:max-w-60"
      help="From 10 to 100. What was submitted is noted after each batch; Resend takes a batch in one request."
    />
  </FormSection>
);
