import type { Site } from "#worker/settings/contract.ts";
import { TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

export const FeedsSection = ({ site }: { site: Site }) => (
  <FormSection title="Feeds" help="Of the podcast and of the essays.">
    <TextField
      label="WebSub hub"
      name="hubUrl"
      type="url"
      inputMode="url"
      placeholder="https://pubsubhubbub.appspot.com/"
      defaultValue={site.hubUrl}
      help="Told when a feed changes, so that apps which listen to it need not wait until they ask again. The one above is public and free of charge. Empty: apps ask by themselves."
    />
  </FormSection>
);
