import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { Link } from "#site/document/link.tsx";
import { ApiError } from "#site/api.ts";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { addPasskey } from "./passkeys.ts";
import { LOGIN } from "./paths.ts";
import { Screen } from "./screen.tsx";

/** After the first sign-in: a passkey, or not now. */
export function PasskeyOffer({ title, text }: { title: string; text: string }) {
  const { isBusy, error, add } = useAddition();
  return (
    <Screen title={title} text={`${text} You’re signed in.`}>
      <section aria-labelledby="passkey-offer" className="mt-8 grid gap-3 border-t border-rule pt-6">
        <h2 id="passkey-offer" className="text-base font-semibold">
          Next time without the password?
        </h2>
        <p>
          With a passkey you sign in by your fingerprint, your face or your screen lock. It works on this site
          only, and can’t be guessed.
        </p>
        {error && (
          <p role="alert" className="border-l-4 border-danger pl-3 font-medium text-danger">
            {error}
          </p>
        )}
        <ButtonRow className="mt-3">
          <Button tone="primary" busy={isBusy} onClick={add}>
            Add a passkey
          </Button>
          <ButtonLink to={LOGIN}>Not now</ButtonLink>
        </ButtonRow>
      </section>
    </Screen>
  );
}

function useAddition() {
  const navigate = useNavigate();
  const [state, setState] = useState<{ isBusy: boolean; error: ReactNode }>({ isBusy: false, error: null });
  const add = async () => {
    setState({ isBusy: true, error: null });
    try {
      await addPasskey({ name: "" });
      await navigate(LOGIN);
    } catch (error) {
      setState({ isBusy: false, error: inWords(error) });
    }
  };
  return { ...state, add: () => void add() };
}

function inWords(error: unknown) {
  if (!(error instanceof ApiError)) return UNEXPECTED;
  if (error.code !== "reauthentication_required") return error.message;
  return (
    <span>
      <span>It’s been a while. Add one under </span>
      <Link to="/admin/account" className="link">
        Your account
      </Link>
      <span>.</span>
    </span>
  );
}

const UNEXPECTED = "The passkey couldn’t be added. Try again, or add one later under Your account.";
