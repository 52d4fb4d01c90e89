import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "#site/ui/button.tsx";
import type { PasskeySignIn as Answer } from "#worker/webauthn/contract.ts";
import { Failure } from "./action.tsx";
import { loadPasskeys } from "./load-passkeys.ts";
import { wordsOf } from "./request.ts";

/** A button that asks for a passkey, below the form for a link. The email field offers passkeys, too. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { isBusy, failure, press } = usePasskeySignIn(onSignedIn);
  return (
    <div className="grid gap-4 border-t border-rule pt-6">
      <p className="text-muted">
        Or use your fingerprint, your face or your screen lock, if you added a passkey to your account.
      </p>
      <div>
        <Button busy={isBusy} onClick={press}>
          Use a passkey
        </Button>
        <Failure message={failure} />
      </div>
    </div>
  );
}

/** The button's dialog ends the offer in the field, so it is made again after a failure. */
function usePasskeySignIn(onSignedIn: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [failures, setFailures] = useState(0);
  const signIn = async (answer?: Answer) => {
    setBusy(true);
    setFailure(null);
    try {
      const passkeys = await loadPasskeys();
      await (answer ? passkeys.signInWith(answer) : passkeys.signIn());
      await onSignedIn();
    } catch (error) {
      setFailure(wordsOf(error));
      setFailures((count) => count + 1);
    }
    setBusy(false);
  };
  const take = useEffectEvent((answer: Answer) => void signIn(answer));
  useEffect(() => {
    const left = new AbortController();
    loadPasskeys()
      .then(({ offer }) => offer(left.signal, (answer) => take(answer)))
      // No message: pressing the button shows one.
      .catch(() => undefined);
    return () => left.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a failure starts the offer again: a press of the button has ended it.
  }, [failures]);
  return { isBusy, failure, press: () => void signIn() };
}
