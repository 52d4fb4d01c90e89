import type { Site } from "#worker/settings/contract.ts";
import { TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";

export const FramesSection = ({ site }: { site: Site }) => (
  <FormSection
    id="frame-hosts"
    title="Campaigns"
    help="Campaigns from these hosts are shown on your page. All others open as a link."
  >
    <Repeated
      name="frameHosts"
      legend="Frame hosts"
      noun="host"
      add="Add a host"
      initial={site.frameHosts}
      empty=""
    >
      {(host) => (
        <TextField
          label="Host"
          name="frameHosts.host"
          maxLength={253}
          placeholder="www.example.org"
          defaultValue={host}
        />
      )}
    </Repeated>
  </FormSection>
);
