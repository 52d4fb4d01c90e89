import { useEffect } from "react";
import { useNavigate } from "react-router";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { LOGIN } from "./paths.ts";
import { Screen } from "./screen.tsx";

/** Milliseconds. */
const REDIRECT_AFTER = 3000;

/** Says that it is done, and redirects to the login after three seconds, or at once by a button. */
export function ContinueToLogin({ title, text }: { title: string; text: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(LOGIN), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Screen title={title} text={`${text} Taking you to the login…`}>
      <ButtonRow className="mt-6">
        <ButtonLink tone="primary" to={LOGIN}>
          Go to Login
        </ButtonLink>
      </ButtonRow>
    </Screen>
  );
}
