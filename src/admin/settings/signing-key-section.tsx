import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { SigningKeyState } from "#worker/accounts/contract.ts";
import { REPLACE_KEY } from "../account/save.ts";
import { ActionButton } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";

/** The key of sessions and mailed links, and its replacement. */
export const SigningKeySection = ({ since, mayReplace }: SigningKeyState) => (
  <FormSection
    title="Signing key"
    help="It proves that sessions and links in emails come from this site. A new one replaces it every 90 days."
  >
    <p>
      {since === null ? (
        "The first one is made when it is needed."
      ) : (
        <>
          <span>In use since </span>
          <DateTime at={since} format={formatDateTime} />
        </>
      )}
    </p>
    {mayReplace && (
      <>
        <p className="text-sm text-muted">
          Replacing it ends no session: sessions and links that the former key signed stay valid until they
          expire.
        </p>
        <ActionButton intent={REPLACE_KEY}>Replace the key</ActionButton>
      </>
    )}
  </FormSection>
);
