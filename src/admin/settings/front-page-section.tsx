import type { Site } from "#worker/settings/contract.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";

type Card = Site["principles"][number];

export const FrontPageSection = ({ site }: { site: Site }) => (
  <FormSection title="Front page" help="A part without a word is not shown.">
    <TextField label="Headline" name="headline" maxLength={160} defaultValue={site.headline} />
    <TextArea
      label="Standfirst"
      name="standfirst"
      rows={3}
      maxLength={600}
      defaultValue={site.standfirst}
      help="Below the headline. Empty: the site’s description."
    />
    <Repeated
      name="building"
      legend="What I’m Building"
      noun="card"
      add="Add a card"
      sortable
      initial={site.building}
      empty={{ title: "", text: "", to: "/mission" }}
    >
      {(card) => (
        <>
          <CardFields group="building" card={card} />
          <TextField
            label="Leads to"
            name="building.to"
            defaultValue={card.to}
            help="A page of this site, such as /mission."
          />
        </>
      )}
    </Repeated>
    <Repeated
      name="principles"
      legend="Principles I Lead By"
      noun="principle"
      add="Add a principle"
      sortable
      initial={site.principles}
      empty={{ title: "", text: "" }}
    >
      {(card) => <CardFields group="principles" card={card} />}
    </Repeated>
    <Repeated
      name="credentials"
      legend="Credentials and Recognition"
      noun="credential"
      add="Add a credential"
      sortable
      initial={site.credentials}
      empty={{ title: "", text: "" }}
    >
      {(card) => <CardFields group="credentials" card={card} />}
    </Repeated>
  </FormSection>
);

const CardFields = ({ group, card }: { group: string; card: Card }) => (
  <>
    <TextField
      label="Title"
      name={`${group}.title`}
      maxLength={120}
      defaultValue={card.title}
      className="basis-full!"
    />
    <TextArea
      label="Text"
      name={`${group}.text`}
      rows={2}
      maxLength={600}
      defaultValue={card.text}
      className="basis-full!"
    />
  </>
);
