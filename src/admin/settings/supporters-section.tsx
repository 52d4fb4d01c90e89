import type { Site } from "#worker/settings/contract.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";

type Tier = Pick<Site["tiers"][number], "name" | "benefits" | "url"> & { price: number | "" };

export const SupportersSection = ({ site }: { site: Site }) => (
  <FormSection title="Supporters" help="On the podcast page, while Patreon is on under Features.">
    <TextField
      label="Patron link"
      name="patronUrl"
      type="url"
      placeholder="https://"
      defaultValue={site.patronUrl}
      help="For any amount, and for tiers without their own link."
    />
    <Repeated<Tier>
      name="tiers"
      legend="Tiers"
      noun="tier"
      add="Add a tier"
      help="A tier needs a payment link or a patron link to be shown."
      sortable
      initial={site.tiers}
      empty={{ name: "", price: "", benefits: [] }}
    >
      {(tier) => (
        <>
          <TextField label="Name" name="tiers.name" maxLength={60} defaultValue={tier.name} />
          <TextField
            label="Dollars a month"
            name="tiers.price"
            inputMode="numeric"
            maxLength={6}
            defaultValue={tier.price}
          />
          <TextField
            label="Payment link"
            name="tiers.url"
            type="url"
            placeholder="https://"
            defaultValue={tier.url}
            className="basis-full!"
          />
          <TextArea
            label="Benefits, one per line"
            name="tiers.benefits"
            rows={3}
            defaultValue={tier.benefits.join("\n")}
            className="basis-full!"
          />
        </>
      )}
    </Repeated>
  </FormSection>
);
