import { messageTypes, type MessageType, type PageInput } from "#worker/pages/contract.ts";
import { Checkbox, SelectField, TextField } from "../form/fields.tsx";
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
    <FormSection title="The three" help="About and Mission show their titles and texts, too.">
      <CardRows
        name="pillars"
        legend="The three"
        noun="pillar"
        rows={values.pillars}
        empty={{ ...emptyCard, body: { markdown: "" } }}
      >
        {({ body }) => (
          <Prose label="At length" name="pillars.body" value={body.markdown} className="basis-full!" />
        )}
      </CardRows>
    </FormSection>
    <FormSection title="Reading on" help="Two links at the end of the page.">
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
    <FormSection title="Figures" help="Your own figures are in the settings, under General.">
      <Checkbox
        label="Show what this site counted"
        name="showsMeasured"
        defaultChecked={values.showsMeasured}
        help="Views, visitors and downloads of the last 30 days, with their date, below your own. A figure that nothing was counted for is not shown."
      />
    </FormSection>
    <FormSection title="Biographies" help="The cover art below them is the show’s.">
      <LongText label="Short biography" name="shortBio" value={values.shortBio} />
      <Prose label="Long biography" name="longBio" value={values.longBio.markdown} />
    </FormSection>
    <FormSection title="How to credit">
      <Prose
        label="How to credit"
        name="credit"
        value={values.credit.markdown}
        help="How to name you and the show, and what may be used."
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
    <FormSection title="Engagements" help="The engagements themselves are in the tab Speaking.">
      <Words label="Below them, above the booking button" name="invitation" value={values.invitation} />
      <Words label="While there are none" name="emptyTitle" value={values.emptyTitle} />
      <LongText label="And what comes then" name="emptyText" value={values.emptyText} />
    </FormSection>
  </>
);

export const BookingFields = ({ values }: { values: PageInput<"booking"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="What helps" help="Beside the request.">
      <CardRows name="points" legend="Points" noun="point" rows={values.points} empty={emptyCard} />
    </FormSection>
  </>
);

export const GuestFields = ({ values }: { values: PageInput<"guest"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Steps" help="Numbered, in their order. The figures above them are in the settings.">
      <Words label="Heading of the steps" name="stepsTitle" value={values.stepsTitle} />
      <CardRows name="steps" legend="Steps" noun="step" rows={values.steps} empty={emptyCard} />
    </FormSection>
    <FormSection title="Whom you look for" help="Beside the application.">
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
      help="Each once. The address above them and the links below are in the settings."
    >
      <CardRows
        name="kinds"
        legend="Kinds"
        noun="kind"
        rows={values.kinds}
        empty={{ ...emptyCard, type: "general" }}
        renderFirst={({ type }) => (
          <SelectField label="Kind" name="kinds.type" defaultValue={type} className="basis-full!">
            {messageTypes.map((name) => (
              <option key={name} value={name}>
                {typeNames[name]}
              </option>
            ))}
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
        help="Shown as the day on which it was last updated. Saving does not change it by itself."
      />
    </Opening>
    <FormSection title="Text">
      <Prose label="Text" name="body" value={values.body.markdown} />
    </FormSection>
  </>
);
