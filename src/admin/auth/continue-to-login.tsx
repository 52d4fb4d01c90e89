import { useEffect } from "react";
import { useNavigate } from "react-router";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { PasskeyOffer } from "./passkey-offer.tsx";
import { supportsPasskeys } from "./passkeys.ts";
import { LOGIN } from "./paths.ts";
import { Screen } from "./screen.tsx";

/** Milliseconds. */
const REDIRECT_AFTER = 3000;

type Props = {
  title: string;
  text: string;
  /** A session is open: the login redirects to the admin area, unless the browser blocked its cookie. */
  isSignedIn?: boolean;
};

/**
 * Says that it is done, and redirects to the login after three seconds, or immediately by a button. A signed-in user is
 * offered a passkey first.
 */
export const ContinueToLogin = (props: Props) =>
  props.isSignedIn && supportsPasskeys() ? <PasskeyOffer {...props} /> : <Continue {...props} />;

function Continue({ title, text, isSignedIn = false }: Props) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(LOGIN), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [navigate]);
  const next = isSignedIn ? "You’re signed in. Taking you to the admin area…" : "Taking you to the login…";
  return (
    <Screen title={title} text={`${text} ${next}`}>
      <ButtonRow className="mt-6">
        <ButtonLink tone="primary" to={LOGIN}>
          {isSignedIn ? "Go to the admin area" : "Go to Login"}
        </ButtonLink>
      </ButtonRow>
    </Screen>
  );
}
