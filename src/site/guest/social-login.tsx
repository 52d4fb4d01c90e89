import { useId, useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";

const providers = ["LinkedIn", "Google", "X"];

/** Announces a future feature; hidden without scripts. */
export function SocialLogin() {
  const [isOpen, setIsOpen] = useState(false);
  const [provider, setProvider] = useState<string | null>(null);
  const panel = useId();
  return (
    <div className="grid gap-4 border-t border-rule pt-5 script-only">
      <Button
        className="w-fit"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => {
          setIsOpen(!isOpen);
          setProvider(null);
        }}
      >
        {isOpen ? "Hide social login" : "Apply with social login"}
      </Button>
      <div id={panel} hidden={!isOpen} className="grid gap-3">
        <ButtonRow>
          {providers.map((name) => (
            <Button key={name} onClick={() => setProvider(name)}>
              {`Continue with ${name}`}
            </Button>
          ))}
        </ButtonRow>
        <p role="status" className="text-sm font-medium">
          {provider && `Social login with ${provider} coming soon!`}
        </p>
        <p className="text-sm text-muted">
          By continuing you agree to our{" "}
          <Link to="/terms" className="link">
            Terms of Service
          </Link>{" "}
          and{" "}
          <Link to="/privacy" className="link">
            Privacy Policy
          </Link>
          .
        </p>
      </div>
    </div>
  );
}
