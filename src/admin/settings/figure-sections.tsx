import type { Site } from "#worker/settings/contract.ts";
import { Options, SelectField, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";
import { networkNames } from "../press/posts/network-names.ts";

const networks = {
  ...networkNames,
  total: "Total",
} satisfies Record<Site["socialProof"][number]["network"], string>;

export const FigureSections = ({ site: { figures, socialProof } }: { site: Site }) => (
  <>
    <FormSection
      title="Figures"
      help="Write them as they should appear, such as 10,000+. Leave one blank to hide it."
    >
      <TextField
        label="As of"
        name="figures.asOf"
        type="month"
        placeholder="2026-10"
        defaultValue={figures.asOf}
        help="The month your figures are from, shown beside them."
      />
      <TextField
        label="Listeners"
        name="figures.listeners"
        maxLength={30}
        placeholder="10,000+"
        defaultValue={figures.listeners}
      />
      <TextField
        label="Applications reviewed within"
        name="figures.reviewedWithin"
        maxLength={30}
        placeholder="48 hours"
        defaultValue={figures.reviewedWithin}
      />
      <TextField
        label="Length of a conversation"
        name="figures.conversationLength"
        maxLength={30}
        placeholder="60–90 minute"
        defaultValue={figures.conversationLength}
      />
      <Repeated
        name="figures.mediaKit"
        legend="In the media kit"
        noun="figure"
        add="Add a figure"
        sortable
        initial={figures.mediaKit}
        empty={{ label: "", value: "" }}
      >
        {({ label, value }) => (
          <>
            <TextField label="Counts" name="figures.mediaKit.label" maxLength={60} defaultValue={label} />
            <TextField label="Figure" name="figures.mediaKit.value" maxLength={30} defaultValue={value} />
          </>
        )}
      </Repeated>
    </FormSection>
    <FormSection id="followers" title="Followers" help="Shown on the front page.">
      <Repeated<Site["socialProof"][number]>
        name="socialProof"
        legend="Networks"
        noun="network"
        add="Add a network"
        sortable
        initial={socialProof}
        empty={{ network: "total", followers: "", engagement: "" }}
      >
        {(row) => (
          <>
            <SelectField label="Network" name="socialProof.network" defaultValue={row.network}>
              <Options of={Object.entries(networks)} />
            </SelectField>
            <TextField
              label="Followers"
              name="socialProof.followers"
              maxLength={20}
              defaultValue={row.followers}
            />
            <TextField
              label="Engagement"
              name="socialProof.engagement"
              maxLength={20}
              defaultValue={row.engagement}
            />
            <TextField
              label="Profile link"
              name="socialProof.url"
              type="url"
              placeholder="https://"
              defaultValue={row.url}
              className="basis-full!"
            />
          </>
        )}
      </Repeated>
    </FormSection>
  </>
);
