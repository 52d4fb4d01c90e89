import { leads, type PageInput } from "#worker/pages/contract.ts";
import { Options, SelectField, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";
import { CardRows, emptyCard, LongText, Words } from "./parts.tsx";
import { leadNames } from "./words.ts";

export const HomeFields = ({ values }: { values: PageInput<"home"> }) => (
  <>
    <FormSection title="Head">
      <TextField
        label="Headline"
        name="headline"
        maxLength={160}
        defaultValue={values.headline}
        help="Leave blank to use the site’s name."
      />
      <LongText
        label="Standfirst"
        name="standfirst"
        value={values.standfirst}
        help="Below the headline. Leave blank to use the site’s description."
      />
    </FormSection>
    <FormSection title="Lead" help="The largest item, beside a column of what else is new.">
      <SelectField
        label="Lead with"
        name="lead"
        defaultValue={values.lead}
        help="If there is none yet, the latest of the other kind leads."
      >
        <Options of={leads.map((lead) => [lead, leadNames[lead]])} />
      </SelectField>
    </FormSection>
    <FormSection title="Building blocks" help="A section without rows is hidden.">
      <Words label="Heading of the blocks" name="buildingTitle" value={values.buildingTitle} />
      <CardRows
        name="building"
        legend="Blocks"
        noun="block"
        rows={values.building}
        empty={{ ...emptyCard, to: "/mission" }}
      >
        {({ to }) => (
          <TextField
            label="Links to"
            name="building.to"
            defaultValue={to}
            help="A page of this site, such as /mission."
            className="basis-full!"
          />
        )}
      </CardRows>
    </FormSection>
    <FormSection title="Principles">
      <Words label="Heading of the principles" name="principlesTitle" value={values.principlesTitle} />
      <CardRows
        name="principles"
        legend="Principles"
        noun="principle"
        rows={values.principles}
        empty={emptyCard}
      />
    </FormSection>
    <FormSection
      title="Invitation to guests"
      help="The figures come from Settings. Shown while guests can apply."
    >
      <Words label="Heading of the invitation" name="guestTitle" value={values.guestTitle} />
      <LongText label="Invitation" name="guestText" value={values.guestText} />
    </FormSection>
    <FormSection title="Credentials">
      <Words label="Heading of the credentials" name="credentialsTitle" value={values.credentialsTitle} />
      <CardRows
        name="credentials"
        legend="Credentials"
        noun="credential"
        rows={values.credentials}
        empty={emptyCard}
      />
    </FormSection>
    <FormSection title="Enquiry" help="Near the end of the page, with a link to Contact.">
      <Words label="Heading of the enquiry" name="enquiryTitle" value={values.enquiryTitle} />
      <LongText label="Enquiry text" name="enquiryText" value={values.enquiryText} />
    </FormSection>
  </>
);
