import { siteContext } from "#site/context.ts";
import { listSecurityEvents, readSigningKey } from "#worker/accounts/queries.ts";
import { readAccount } from "#worker/accounts/queries.ts";
import { listSessions } from "#worker/accounts/queries.ts";
import { listCspReports } from "#worker/csp-reports/queries.ts";
import { readPreload } from "#worker/settings/queries.ts";
import { DevicesSection } from "../account/devices-section.tsx";
import { PasswordSection } from "../account/password-section.tsx";
import { saveAccount } from "../account/save.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { intentOf } from "../form/submit.ts";
import { ALERTS, alertsForm, AlertsSection } from "./alerts-section.tsx";
import { saveSettings } from "./save.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ContentPolicySection } from "./content-policy-section.tsx";
import { PreloadSection } from "./preload-section.tsx";
import { SecurityEvents } from "./security-events.tsx";
import { SigningKeySection } from "./signing-key-section.tsx";
import type { Route } from "./+types/security";

export const meta = pageTitle("Security");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ email }, devices, { items: events }, signingKey, preload, reports, { site, updatedAt }] =
    await Promise.all([
      load(readAccount(ctx)),
      load(listSessions(ctx)),
      load(listSecurityEvents(ctx)),
      load(readSigningKey(ctx)),
      load(readPreload(ctx)),
      load(listCspReports(ctx)),
      load(readSettings(ctx)),
    ]);
  return { email, devices, signingKey, preload, reports, events, alerts: site.alerts, updatedAt };
}

/** The form of the alerts sends a part of the settings; the others are the account's. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  return intentOf(form) === ALERTS ? saveSettings(request, alertsForm) : saveAccount(request);
}

export default function Security({ loaderData }: Route.ComponentProps) {
  const { email, devices, signingKey, preload, reports, events, alerts, updatedAt } = loaderData;
  return (
    <>
      <PasswordSection email={email} />
      <DevicesSection devices={devices.items} isIncomplete={devices.isIncomplete} />
      <SigningKeySection {...signingKey} />
      <PreloadSection {...preload} />
      <ContentPolicySection reports={reports} />
      <AlertsSection kinds={alerts.kinds} basedOn={updatedAt} />
      <SecurityEvents events={events} />
    </>
  );
}
