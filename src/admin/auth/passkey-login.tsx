import { useEffect, useEffectEvent } from "react";
import { useSubmit } from "react-router";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { PasskeySignIn } from "#worker/webauthn/contract.ts";
import { Form, Submit } from "../form/form.tsx";
import { useFormResult } from "../form/result.ts";
import { offerInField, supportsPasskeys } from "./passkeys.ts";

export const PASSKEY = "passkey";

/** The field with the answer to an offer in the email field. */
export const ANSWER = "answer";

/** A button that asks for a passkey, below the password. The email field offers passkeys, too. */
export function PasskeyLogin() {
  const isHydrated = useHydrated();
  useOfferInField();
  if (!isHydrated || !supportsPasskeys()) return null;
  return (
    <Form intent={PASSKEY} className="mt-8 grid gap-4 border-t border-rule pt-6">
      <p className="text-sm text-muted">
        Or use your fingerprint, your face or your screen lock, if you added a passkey to your account.
      </p>
      <div>
        <Submit tone="quiet">Use a passkey</Submit>
      </div>
    </Form>
  );
}

/** The button's dialog ends the offer in the field, so it is made again after the button's answer. */
function useOfferInField() {
  const submit = useSubmit();
  const answered = useFormResult(PASSKEY)?.at;
  const send = useEffectEvent((answer: PasskeySignIn) => {
    void submit({ intent: PASSKEY, [ANSWER]: JSON.stringify(answer) }, { method: "post" });
  });
  useEffect(() => {
    const offer = new AbortController();
    void offerInField(offer.signal, (answer) => send(answer));
    return () => offer.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `answered` starts the offer again: a press of the button has ended it.
  }, [answered]);
}
