import { messageTypes, type MessageType, type PageInput } from "#worker/pages/contract.ts";
import { Options, Checkbox, SelectField, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";
import { CardRows, emptyCard, LongText, Opening, Prose, Words } from "./parts.tsx";

export const MissionFields = ({ values }: { values: PageInput<"mission"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Statement">
      <Prose label="Statement" name="statement" value={values.statement.markdown} />
    </FormSection>
    <FormSection title="The 3 Es" help="Their titles and texts come from the page The 3 Es.">
      <Words label="Heading of the three" name="pillarsTitle" value={values.pillarsTitle} />
      <Words label="Link to the page" name="pillarsLink" value={values.pillarsLink} />
    </FormSection>
  </>
);

export const ThreeEsFields = ({ values }: { values: PageInput<"three-es"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="The three" help="About and Mission show these titles and texts too.">
      <CardRows
        name="pillars"
        legend="The three"
        noun="pillar"
        rows={values.pillars}
        empty={{ ...emptyCard, body: { markdown: "" } }}
      >
        {({ body }) => (
          <Prose label="In full" name="pillars.body" value={body.markdown} className="basis-full!" />
        )}
      </CardRows>
    </FormSection>
    <FormSection title="Read on" help="Two links at the end of the page.">
      <TextField
        label="Above the link to Mission"
        name="missionKicker"
        maxLength={120}
        defaultValue={values.missionKicker}
      />
      <Words label="Link to Mission" name="missionLink" value={values.missionLink} />
      <TextField
        label="Above the link to Contact"
        name="contactKicker"
        maxLength={120}
        defaultValue={values.contactKicker}
      />
      <Words label="Link to Contact" name="contactLink" value={values.contactLink} />
    </FormSection>
  </>
);

export const MediaKitFields = ({ values }: { values: PageInput<"media-kit"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Figures" help="Edit your own figures under Settings ▸ General.">
      <Checkbox
        label="Show figures counted by this site"
        name="showsMeasured"
        defaultChecked={values.showsMeasured}
        help="Views, visitors and downloads of the last 30 days, with their date, below your own. Figures with no data are hidden."
      />
    </FormSection>
    <FormSection title="Biographies" help="The show’s cover art appears below them.">
      <LongText label="Short biography" name="shortBio" value={values.shortBio} />
      <Prose label="Long biography" name="longBio" value={values.longBio.markdown} />
    </FormSection>
    <FormSection title="How to credit">
      <Prose
        label="How to credit"
        name="credit"
        value={values.credit.markdown}
        help="How to name you and the show, and what others may use."
      />
    </FormSection>
    <FormSection title="Requests">
      <Words label="Heading of the requests" name="requestTitle" value={values.requestTitle} />
      <LongText label="What to ask for" name="requestText" value={values.requestText} />
    </FormSection>
  </>
);

export const SpeakingFields = ({ values }: { values: PageInput<"speaking"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Topics">
      <Words label="Heading of the topics" name="topicsTitle" value={values.topicsTitle} />
      <CardRows name="topics" legend="Topics" noun="topic" rows={values.topics} empty={emptyCard} />
    </FormSection>
    <FormSection title="Engagements" help="Edit the engagements themselves in the Speaking tab.">
      <Words label="Below them, above the booking button" name="invitation" value={values.invitation} />
      <Words label="Heading when there are none" name="emptyTitle" value={values.emptyTitle} />
      <LongText label="Text when there are none" name="emptyText" value={values.emptyText} />
    </FormSection>
  </>
);

export const BookingFields = ({ values }: { values: PageInput<"booking"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="What helps" help="Shown beside the request form.">
      <CardRows name="points" legend="Points" noun="point" rows={values.points} empty={emptyCard} />
    </FormSection>
  </>
);

export const GuestFields = ({ values }: { values: PageInput<"guest"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Steps" help="Numbered in this order. The figures above them come from Settings.">
      <Words label="Heading of the steps" name="stepsTitle" value={values.stepsTitle} />
      <CardRows name="steps" legend="Steps" noun="step" rows={values.steps} empty={emptyCard} />
    </FormSection>
    <FormSection title="Who you’re looking for" help="Shown beside the application form.">
      <Words label="Heading of the text" name="bodyTitle" value={values.bodyTitle} />
      <Prose label="Text" name="body" value={values.body.markdown} />
    </FormSection>
  </>
);

const typeNames: Record<MessageType, string> = {
  speaking: "Speaking",
  partnerships: "Partnerships",
  media: "Media",
  general: "General",
};

export const ContactFields = ({ values }: { values: PageInput<"contact"> }) => (
  <>
    <Opening values={values} />
    <FormSection
      title="Kinds of message"
      help="Choose each only once. The address above them and the links below come from Settings."
    >
      <CardRows
        name="kinds"
        legend="Kinds"
        noun="kind"
        rows={values.kinds}
        empty={{ ...emptyCard, type: "general" }}
        renderFirst={({ type }) => (
          <SelectField label="Kind" name="kinds.type" defaultValue={type} className="basis-full!">
            <Options of={messageTypes.map((name) => [name, typeNames[name]])} />
          </SelectField>
        )}
      />
    </FormSection>
  </>
);

export const LegalFields = ({ values }: { values: PageInput<"privacy-policy"> }) => (
  <>
    <Opening values={values}>
      <TextField
        label="In force since"
        name="since"
        type="date"
        required
        defaultValue={values.since}
        help="Shown as the date of the last update. Saving doesn’t change it."
      />
    </Opening>
    <FormSection title="Text">
      <Prose label="Text" name="body" value={values.body.markdown} />
    </FormSection>
  </>
);
