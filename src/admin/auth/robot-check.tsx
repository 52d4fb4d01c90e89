import { useEffect, useRef, useState } from "react";
import { showTurnstile } from "#site/ui/turnstile.ts";

/**
 * Turnstile, which the login asks for after several failures. Its token is the form's field, and is used once: another key makes
 * another one.
 */
export function RobotCheck({ siteKey }: { siteKey: string }) {
  const container = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const options = { siteKey, field: "robotCheck", onFailure: () => setFailed(true) };
    const showing = showTurnstile(container.current!, options).catch((error: unknown) => {
      console.error(error);
      setFailed(true);
      return null;
    });
    return () => void showing.then((shown) => shown?.remove());
  }, [siteKey]);
  return (
    <div>
      <div ref={container} className="min-h-16" />
      <p role="status" className="text-sm text-danger">
        {hasFailed && "The robot check didn’t load. Reload this page, or allow challenges.cloudflare.com."}
      </p>
    </div>
  );
}
