import { Checkbox } from "#site/ui/controls.tsx";
import { ButtonRow } from "#site/ui/button.tsx";
import {
  isDenial,
  SECURITY_EVENTS,
  securityEventNames,
  type SecurityEventKind,
} from "#worker/accounts/contract.ts";
import { Site } from "#worker/settings/contract.ts";
import { Form, Submit } from "../form/form.tsx";
import { checkedValues, object } from "../form/read.ts";
import { FormSection } from "../form/section.tsx";

export const ALERTS = "alerts";

export const alertsForm = {
  fields: { alerts: object({ kinds: checkedValues }) },
  schema: Site.pick({ alerts: true }),
};

const byName = SECURITY_EVENTS.toSorted((a, b) => securityEventNames[a].localeCompare(securityEventNames[b]));
const groups = [
  { legend: "Refused", choices: byName.filter((kind) => isDenial(kind)) },
  { legend: "Done", choices: byName.filter((kind) => !isDenial(kind)) },
];

type Props = { kinds: SecurityEventKind[]; basedOn: number };

/** The events that the owner gets an email about. */
export const AlertsSection = ({ kinds, basedOn }: Props) => (
  <FormSection
    title="Emails about events"
    help="The owner gets an email about the events that you choose, at most one an hour about each, with how many there were. It goes to the address of the owner’s account."
  >
    <Form intent={ALERTS} basedOn={basedOn}>
      {groups.map(({ legend, choices }) => (
        <fieldset key={legend}>
          <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
          <div className="gap-x-6 *:mb-2 *:break-inside-avoid sm:columns-2">
            {choices.map((kind) => (
              <Checkbox
                key={kind}
                name="alerts.kinds"
                value={kind}
                label={securityEventNames[kind]}
                defaultChecked={kinds.includes(kind)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <ButtonRow>
        <Submit>Save choice</Submit>
      </ButtonRow>
    </Form>
  </FormSection>
);
