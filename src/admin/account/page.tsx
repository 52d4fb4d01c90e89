import { siteContext } from "#site/context.ts";
import { readAccount } from "#worker/accounts/queries.ts";
import { listPasskeys, listSessions, readSecondFactor } from "#worker/accounts/queries.ts";
import { FormSection } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { DetailsForm } from "./details-form.tsx";
import { DevicesSection } from "./devices-section.tsx";
import { EmailSection } from "./email-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { saveAccount } from "./save.ts";
import { SecondFactorSection } from "./second-factor-section.tsx";
import type { Route } from "./+types/page";

export const meta = pageTitle("Your account");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [account, secondFactor, passkeys, devices] = await Promise.all([
    load(readAccount(ctx)),
    load(readSecondFactor(ctx)),
    load(listPasskeys(ctx)),
    load(listSessions(ctx)),
  ]);
  return { account, secondFactor, passkeys, devices };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveAccount(request);

/** Your own account; open to every role. */
export default function AccountPage({ loaderData }: Route.ComponentProps) {
  const { account, secondFactor, passkeys, devices } = loaderData;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Your account</h1>
      <FormSection title="Details" help="Your name, as others in the admin area see it.">
        <DetailsForm account={account} />
      </FormSection>
      <EmailSection account={account} />
      <PasswordSection email={account.email} />
      <SecondFactorSection factor={secondFactor} email={account.email} />
      <PasskeysSection account={account} passkeys={passkeys} />
      <DevicesSection devices={devices.items} isIncomplete={devices.isIncomplete} />
    </>
  );
}
