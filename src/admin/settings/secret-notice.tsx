import { useEffect, useRef, type ReactNode } from "react";
import { CopyText } from "./copy-text.tsx";

type Props = {
  /** The secret's name in the interface. */
  label: "Secret" | "Token";
  secret: string;
  /** What it is for. */
  about: ReactNode;
  children?: ReactNode;
};

/** A secret, once: no later page has it. Takes the focus, since it replaces what was pressed. */
export function SecretNotice({ label, secret, about, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const what = label.toLowerCase();
  return (
    <section aria-labelledby="secret" className="grid max-w-2xl gap-4 border-l-4 border-accent pl-4">
      <h3 id="secret" ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {`Copy the ${what} now`}
      </h3>
      <p>{about}</p>
      <CopyText label={label} value={secret} what={what} />
      {children}
    </section>
  );
}

/** What an action's answer says it made, secret included. */
export const madeIn = <Made,>(answer: unknown) =>
  typeof answer === "object" && answer !== null && "made" in answer ? (answer.made as Made) : null;
