import { useId, type ReactNode } from "react";

type Props = {
  /** The target of links. */
  id?: string;
  title: string;
  help?: string;
  children: ReactNode;
};

/** One idea of a long form: its name to the left on a wide screen, its fields in one column. */
export function FormSection({ id, title, help, children }: Props) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className="grid grid-cols-1 gap-x-10 gap-y-4 border-t border-rule py-8 lg:grid-cols-[14rem_minmax(0,40rem)]"
    >
      <header className="grid content-start gap-1">
        <h2 id={heading} className="text-base font-semibold">
          {title}
        </h2>
        {help && <p className="text-sm text-muted">{help}</p>}
      </header>
      <div className="grid grid-cols-1 content-start gap-5">{children}</div>
    </section>
  );
}
