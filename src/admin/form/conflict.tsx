import { useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { useLocation } from "react-router";
import { Submit } from "./submit-button.tsx";

type Props = {
  form: RefObject<HTMLFormElement | null>;
  /** An alternative choice. */
  children?: ReactNode;
};

/** After a conflict: read the newer version in another tab, or overwrite it. */
export const Conflict = ({ form, children = <NewerVersion /> }: Props) => (
  <Choices form={form}>{children}</Choices>
);

/** The choices if saving again would be refused. */
export function Choices({ form, children }: Required<Props>) {
  const choices = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: before } = choices;
    const { current: owner } = form;
    // Its buttons disappear: move the focus to the save button.
    return () => {
      if (before?.contains(document.activeElement)) saveButtonOf(owner, before)?.focus();
    };
  }, [form]);
  return (
    <div ref={choices} className="flex flex-wrap items-center gap-3">
      {children}
    </div>
  );
}

const saveButtonOf = (form: HTMLFormElement | null, besides: HTMLElement) =>
  [...(form?.querySelectorAll<HTMLElement>("[type=submit]:not([hidden])") ?? [])].find(
    (button) => !besides.contains(button),
  );

function NewerVersion() {
  const { pathname, search } = useLocation();
  return (
    <>
      <a href={pathname + search} target="_blank" rel="noopener" className="link text-sm">
        Open the newer version in a new tab
      </a>
      <Submit tone="quiet" size="sm" name="overwrite" value="yes">
        Save this version anyway
      </Submit>
    </>
  );
}
