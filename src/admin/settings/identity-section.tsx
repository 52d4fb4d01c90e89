import { useId } from "react";
import { TextField as PlainTextField } from "#site/ui/field.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

type Props = { site: Site; siteUrl: string; timeZones: string[] };

export function IdentitySection({ site, siteUrl, timeZones }: Props) {
  const zones = useId();
  return (
    <FormSection title="Identity" help="On every page, in the feeds and in emails.">
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
        help="Used in feeds, emails and links. It’s set at deployment: npm run deploy asks for it as SITE_URL."
      />
      <TextField
        label="Contact email"
        name="contactEmail"
        type="email"
        defaultValue={site.contactEmail}
        help="Public on the contact, guest and speaking pages. Leave blank to show none."
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Language"
          name="language"
          required
          defaultValue={site.language}
          help="A code such as en-AU. It sets how dates and numbers are written."
        />
        <TextField
          label="Time zone"
          name="timeZone"
          required
          list={zones}
          defaultValue={site.timeZone}
          help="For dates, schedules and the days of your figures, such as Australia/Sydney."
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
