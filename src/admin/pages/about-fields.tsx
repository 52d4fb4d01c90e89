import type { PageInput } from "#worker/pages/contract.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";
import { CardRows, emptyCard, LongText, Opening, Prose, Words } from "./parts.tsx";

export const AboutFields = ({ values }: { values: PageInput<"about"> }) => (
  <>
    <Opening values={values} />
    <FormSection title="Arenas" help="Three side by side on a wide screen.">
      <CardRows name="arenas" legend="Arenas" noun="arena" rows={values.arenas} empty={emptyCard} />
    </FormSection>
    <FormSection title="Story" help="Leave both blank to hide them.">
      <Prose label="Story" name="body" value={values.body.markdown} />
      <LongText label="Quote" name="quote.text" value={values.quote.text} help="Without quotation marks." />
      <TextField
        label="Source of the quote"
        name="quote.source"
        maxLength={160}
        defaultValue={values.quote.source}
      />
    </FormSection>
    <FormSection title="The 3 Es" help="Their titles and texts come from the page The 3 Es.">
      <Words label="Heading of the three" name="pillarsTitle" value={values.pillarsTitle} />
      <Words label="Link to the page" name="pillarsLink" value={values.pillarsLink} />
    </FormSection>
    <FormSection title="Timeline" help="Edit the ventures above it in the Ventures tab.">
      <Words label="Heading of the timeline" name="timelineTitle" value={values.timelineTitle} />
      <Repeated
        name="timeline"
        legend="Entries"
        noun="entry"
        add="Add an entry"
        sortable
        initial={values.timeline}
        empty={{ year: "", ...emptyCard }}
      >
        {({ year, title, text }) => (
          <>
            <TextField label="Year" name="timeline.year" maxLength={20} defaultValue={year} />
            <TextField label="Title" name="timeline.title" maxLength={120} defaultValue={title} />
            <TextArea
              label="Text"
              name="timeline.text"
              rows={2}
              maxLength={600}
              defaultValue={text}
              className="basis-full!"
            />
          </>
        )}
      </Repeated>
    </FormSection>
  </>
);
