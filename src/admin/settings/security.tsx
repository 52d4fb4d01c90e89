import { siteContext } from "#site/context.ts";
import {
  listSecurityEvents,
  listSessions,
  readAccount,
  readFactorRules,
  readSigningKey,
} from "#worker/accounts/queries.ts";
import { listCspReports } from "#worker/csp-reports/queries.ts";
import { readPreload, readSettings } from "#worker/settings/queries.ts";
import { DevicesSection } from "../account/devices-section.tsx";
import { PasswordSection } from "../account/password-section.tsx";
import { saveAccount } from "../account/save.ts";
import { intentOf } from "../form/submit.ts";
import { ALERTS, alertsForm, AlertsSection } from "./alerts-section.tsx";
import { saveSettings } from "./save.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ContentPolicySection } from "./content-policy-section.tsx";
import { FACTOR_RULES, FactorRulesSection, saveFactorRules } from "./factor-rules-section.tsx";
import { PreloadSection } from "./preload-section.tsx";
import { SecurityEvents } from "./security-events.tsx";
import { SigningKeySection } from "./signing-key-section.tsx";
import type { Route } from "./+types/security";

export const meta = pageTitle("Security");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [
    { email, role },
    rules,
    devices,
    { items: events },
    signingKey,
    preload,
    reports,
    { site, updatedAt },
  ] = await Promise.all([
    load(readAccount(ctx)),
    load(readFactorRules(ctx)),
    load(listSessions(ctx)),
    load(listSecurityEvents(ctx)),
    load(readSigningKey(ctx)),
    load(readPreload(ctx)),
    load(listCspReports(ctx)),
    load(readSettings(ctx)),
  ]);
  return {
    email,
    rules,
    mayChangeRules: role === "super_admin",
    devices,
    signingKey,
    preload,
    reports,
    events,
    alerts: site.alerts,
    updatedAt,
  };
}

/** The form of the alerts sends a part of the settings; the others are the account's, or set the requirement. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  switch (intentOf(form)) {
    case ALERTS:
      return saveSettings(request, alertsForm);
    case FACTOR_RULES:
      return saveFactorRules(form);
    default:
      return saveAccount(request);
  }
}

export default function Security({ loaderData }: Route.ComponentProps) {
  const { email, rules, mayChangeRules, devices, signingKey, preload, reports, events, alerts, updatedAt } =
    loaderData;
  return (
    <>
      <PasswordSection email={email} />
      <FactorRulesSection rules={rules} mayChange={mayChangeRules} />
      <DevicesSection devices={devices.items} isIncomplete={devices.isIncomplete} />
      <SigningKeySection {...signingKey} />
      <PreloadSection {...preload} />
      <ContentPolicySection reports={reports} />
      <AlertsSection kinds={alerts.kinds} basedOn={updatedAt} />
      <SecurityEvents events={events} />
    </>
  );
}
