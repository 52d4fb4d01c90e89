import type { Site } from "#worker/settings/contract.ts";
import { TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

export const FeedsSection = ({ site }: { site: Site }) => (
  <FormSection title="Feeds" help="For the podcast and essays.">
    <TextField
      label="WebSub hub"
      name="hubUrl"
      type="url"
      inputMode="url"
      placeholder="https://pubsubhubbub.appspot.com/"
      defaultValue={site.hubUrl}
      help="Notified when a feed changes, so apps that use it update straight away. The hub above is public and free. Leave blank to let apps check on their own schedule."
    />
  </FormSection>
);
