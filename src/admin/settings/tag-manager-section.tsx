import type { Site } from "#worker/settings/contract.ts";
import { Checkbox, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

export const TagManagerSection = ({ tagManager: { id, needsConsent } }: Pick<Site, "tagManager">) => (
  <FormSection
    title="Tag manager"
    help="The site counts visits itself, without cookies or other companies. Google Tag Manager loads other companies’ tags; the privacy policy then mentions it automatically."
  >
    <TextField
      label="Container"
      name="tagManager.id"
      maxLength={16}
      placeholder="GTM-AB12CD3"
      defaultValue={id}
      help="Leave blank to load nothing from Google. Google Analytics works; tags that write a script into the page don’t. The data layer gets the events counted here: page_view, podcast_play, newsletter_signup and so on."
    />
    <Checkbox
      label="Ask visitors first"
      name="tagManager.needsConsent"
      defaultChecked={needsConsent}
      help="A bar asks once, and refusing is as easy as agreeing. Browsers that ask not to be tracked load nothing either way."
    />
  </FormSection>
);
