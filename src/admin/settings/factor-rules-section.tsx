import { api, readJson } from "#site/api.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { ROLES } from "#worker/access/contract.ts";
import { FactorRulesChange, GRACE_DAYS, type FactorRules } from "#worker/accounts/contract.ts";
import { Options, SelectField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { checkedValues, number } from "../form/read.ts";
import { FormSection } from "../form/section.tsx";
import { submit } from "../form/submit.ts";
import { roleNames } from "../users/role-meanings.ts";

export const FACTOR_RULES = "factor-rules";

export const saveFactorRules = (form: FormData) =>
  submit(form, {
    fields: { roles: checkedValues, graceDays: number },
    schema: FactorRulesChange,
    words: { unexpected: "An error occurred. Please try again." },
    async send(json) {
      const { roles } = await readJson(api["second-factor-rules"].$put({ json }));
      return roles.length === 0
        ? "No role needs a second factor any more."
        : "Saved. Users without a second factor see until when they need one.";
    },
  });

type Props = { rules: FactorRules; mayChange: boolean };

/** Which roles need a second factor. */
export const FactorRulesSection = ({ rules, mayChange }: Props) => (
  <FormSection
    title="Required second factor"
    help="An authenticator app or a passkey. Users without one are reminded, and after the days of grace only their own account is open to them until they have one."
  >
    {mayChange ? (
      <Form intent={FACTOR_RULES}>
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-sm font-medium">Roles that need one</legend>
          {ROLES.map((role) => (
            <Checkbox
              key={role}
              name="roles"
              value={role}
              label={roleNames[role]}
              defaultChecked={rules.roles.includes(role)}
            />
          ))}
        </fieldset>
        <SelectField
          name="graceDays"
          label="Days of grace"
          defaultValue={rules.graceDays}
          help="From now on, or for a user who is added later, from then on."
          className="max-w-60"
        >
          <Options of={GRACE_DAYS.map((days) => [days, days === 0 ? "None" : `${days} days`])} />
        </SelectField>
        <ButtonRow>
          <Submit>Save requirement</Submit>
        </ButtonRow>
      </Form>
    ) : (
      <p className="text-muted">
        {rules.roles.length === 0
          ? "No role needs one. A super admin can change that."
          : `Needed by: ${rules.roles.map((role) => roleNames[role]).join(", ")}. A super admin can change that.`}
      </p>
    )}
  </FormSection>
);
