import { useEffect, useRef, type ReactNode } from "react";
import { CopyText } from "../copy-text.tsx";

/** A secret, once: no later page has it. Takes the focus, since it replaces what was pressed. */
export function SecretNotice({ secret, children }: { secret: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="secret" className="grid max-w-2xl gap-4 border-l-4 border-accent pl-4">
      <h2 id="secret" ref={heading} tabIndex={-1} className="font-semibold outline-none">
        Copy the secret now
      </h2>
      <p>
        It is shown this once. Enter it at the program that receives the events: it proves that they come from
        this site.
      </p>
      <CopyText label="Secret" value={secret} what="secret" />
      {children}
    </section>
  );
}
