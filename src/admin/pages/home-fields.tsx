import { leads, type PageInput } from "#worker/pages/contract.ts";
import { SelectField, TextField } from "../form/fields.tsx";
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
        help="Empty: the site’s name."
      />
      <LongText
        label="Standfirst"
        name="standfirst"
        value={values.standfirst}
        help="Below the headline. Empty: the site’s description."
      />
    </FormSection>
    <FormSection title="Lead" help="What stands largest, with a column of what else is new.">
      <SelectField
        label="What leads the page"
        name="lead"
        defaultValue={values.lead}
        help="Until there is one, the latest of the other kind leads."
      >
        {leads.map((lead) => (
          <option key={lead} value={lead}>
            {leadNames[lead]}
          </option>
        ))}
      </SelectField>
    </FormSection>
    <FormSection title="Building blocks" help="A part without a row is not shown.">
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
            label="Leads to"
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
      help="Its figures are in the settings. It is shown while guests may apply."
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
      <LongText label="Words of the enquiry" name="enquiryText" value={values.enquiryText} />
    </FormSection>
  </>
);
