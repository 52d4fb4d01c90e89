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

type HeadingProps = {
  /** The item's title, as typed. */
  title: string;
  /** "New episode", for one that has no title yet. */
  untitled: string;
  /** Its state, in a word. */
  state: string;
};

/** The heading of a form: the item's title and state. */
export const FormHeading = ({ title, untitled, state }: HeadingProps) => (
  <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">
    <bdi>{title.trim() || untitled}</bdi>
    <span className="font-normal text-muted">{` · ${state}`}</span>
  </h1>
);
