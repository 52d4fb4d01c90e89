import { useEffect, useRef, useState, type RefObject } from "react";
import { useLayoutData } from "../use-layout.ts";
import type { Widget } from "#site/ui/turnstile.ts";

/** worker/platform/http/turnstile.ts reads it. */
const TOKEN_FIELD = "cf-turnstile-response";

/**
 * The robot check, if the site has one. It loads when the visitor begins to fill in the form. If it fails, the form can
 * still be sent, and the server asks for a confirmation by mail.
 */
export function useRobotCheck() {
  const siteKey = useLayoutData()?.turnstileKey;
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<Promise<Widget | null>>(undefined);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(
    () => () => {
      void widget.current?.then((shown) => shown?.remove());
      widget.current = undefined;
    },
    [],
  );

  const begin = () => {
    if (!siteKey || !container.current) return;
    widget.current ??= show(container.current, siteKey, () => setHasFailed(true));
  };
  return {
    isOn: Boolean(siteKey),
    container,
    hasFailed,
    begin,
    /** Resolves once the form has its token, or the check has failed. */
    async settled() {
      begin();
      await (await widget.current)?.settled();
    },
    /** Call after each request, since a token is single-use. */
    async reset() {
      setHasFailed(false);
      (await widget.current)?.reset();
    },
  };
}

async function show(container: HTMLElement, siteKey: string, onFailure: () => void) {
  try {
    const { showTurnstile } = await import("#site/ui/turnstile.ts");
    return await showTurnstile(container, { siteKey, field: TOKEN_FIELD, onFailure });
  } catch (error) {
    console.error(error);
    onFailure();
    return null;
  }
}

type RobotCheckProps = { container: RefObject<HTMLDivElement | null>; hasFailed: boolean };

export const RobotCheck = ({ container, hasFailed }: RobotCheckProps) => (
  <div className="script-only">
    <div ref={container} className="min-h-16" />
    <p role="status" className="text-sm text-muted">
      {hasFailed &&
        "The robot check didn’t work here. You can still send this, and we’ll email you a link to confirm it."}
    </p>
  </div>
);
