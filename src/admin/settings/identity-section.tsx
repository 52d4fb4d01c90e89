import { useId } from "react";
import { TextField as PlainTextField } from "#site/ui/field.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

type Props = { site: Site; siteUrl: string; timeZones: string[] };

export function IdentitySection({ site, siteUrl, timeZones }: Props) {
  const zones = useId();
  return (
    <FormSection title="Identity" help="On every page, in the feeds and in mails.">
      <TextField label="Site Name" name="name" required maxLength={100} defaultValue={site.name} />
      <TextArea
        label="Site Description"
        name="description"
        rows={2}
        maxLength={300}
        defaultValue={site.description}
        help="One or two sentences, for search engines and the footer."
      />
      <PlainTextField
        label="Site URL"
        value={siteUrl}
        readOnly
        help="Feeds, mails and links are built from it, so it is part of the deployment: npm run deploy asks for it as SITE_URL."
      />
      <TextField
        label="Contact e-mail"
        name="contactEmail"
        type="email"
        defaultValue={site.contactEmail}
        help="Public, on the contact, guest and speaking pages. Empty for none."
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Language"
          name="language"
          required
          defaultValue={site.language}
          help="A code such as en-AU. Dates and numbers are written its way."
        />
        <TextField
          label="Time zone"
          name="timeZone"
          required
          list={zones}
          defaultValue={site.timeZone}
          help="Of every date and schedule, such as Australia/Sydney."
        />
        <datalist id={zones}>
          {timeZones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </datalist>
      </div>
    </FormSection>
  );
}
