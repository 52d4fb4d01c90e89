import type { Site } from "#worker/settings/contract.ts";
import { Checkbox, TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

export const TagManagerSection = ({ tagManager: { id, needsConsent } }: Pick<Site, "tagManager">) => (
  <FormSection
    title="Tag manager"
    help="The site counts by itself, without cookies and without anybody else. Google Tag Manager is for tags of other companies; the privacy policy then says so by itself."
  >
    <TextField
      label="Container"
      name="tagManager.id"
      maxLength={16}
      placeholder="GTM-AB12CD3"
      defaultValue={id}
      help="Empty: nothing of Google is loaded. Tags that write a script into the page do not run; Google Analytics does. Its data layer gets what is counted here: page_view, podcast_play, newsletter_signup and so on."
    />
    <Checkbox
      label="Ask visitors first"
      name="tagManager.needsConsent"
      defaultChecked={needsConsent}
      help="A bar asks once, with refusing as easy as agreeing. Browsers that ask not to be tracked load nothing either way."
    />
  </FormSection>
);
