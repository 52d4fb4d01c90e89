import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from "react";
import { CircleAlert } from "lucide-react";
import { counted } from "#site/ui/format.ts";
import { goToPart } from "../shell/go-to.ts";
import { useFormState } from "./context.ts";

export type Section = {
  /** Unique in the form. */
  title: string;
  help?: string;
  /** Its fields, in a text column unless they set their own width. */
  children: ReactNode;
};

type Props = {
  sections: Section[];
  /** What each section lacks, in two or three words, by title; updated while typing. */
  lacking: (form: FormData) => Record<string, string | undefined>;
};

/**
 * The sections of a long form, with a table of contents that stays in view: beside them on a wide screen, in a list
 * that opens on a narrow one. It shows the current section, sections with errors, and missing parts.
 */
export function FormSections({ sections, lacking }: Props) {
  const parts = useRef<HTMLDivElement>(null);
  const states = useStates(parts, sections, lacking);
  const current = useCurrent(parts);
  const entries = sections.map(({ title }) => ({
    title,
    isCurrent: idOf(title) === current,
    ...states[title],
  }));
  return (
    <div className="lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-x-12">
      <SectionsMenu entries={entries} />
      <nav
        aria-label="Sections"
        className="sticky top-4 max-h-[calc(100dvh-7rem)] self-start overflow-y-auto py-8 max-lg:hidden"
      >
        <Entries entries={entries} />
      </nav>
      <div ref={parts} className="min-w-0">
        {sections.map((section) => (
          <Part key={section.title} {...section} />
        ))}
      </div>
    </div>
  );
}

const idOf = (title: string) => `section-${title.toLowerCase().replace(/[^a-z\d]+/g, "-")}`;

const Part = ({ title, help, children }: Section) => (
  <section
    id={idOf(title)}
    aria-labelledby={`${idOf(title)}-title`}
    className="scroll-mt-4 border-t border-rule py-8 max-lg:first:border-t-0"
  >
    <header className="mb-5 grid max-w-2xl gap-1">
      <h2 id={`${idOf(title)}-title`} tabIndex={-1} className="text-base font-semibold outline-offset-4">
        {title}
      </h2>
      {help && <p className="text-sm text-muted">{help}</p>}
    </header>
    <div className="grid gap-5 *:max-w-2xl *:data-wide:max-w-none">{children}</div>
  </section>
);

type State = { errors?: number; lacks?: string };
type Entry = State & { title: string; isCurrent: boolean };

/** In a narrow window. */
function SectionsMenu({ entries }: { entries: Entry[] }) {
  const details = useRef<HTMLDetailsElement>(null);
  const current = entries.find(({ isCurrent }) => isCurrent) ?? entries[0];
  const errors = entries.reduce((sum, entry) => sum + (entry.errors ?? 0), 0);
  return (
    <details
      ref={details}
      className="group sticky top-0 z-20 -mx-4 border-y border-rule bg-paper sm:mx-0 lg:hidden [@media(max-height:30rem)]:static"
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 text-sm sm:px-0">
        <span className="sr-only">Sections, now at </span>
        <span className="font-semibold">{current?.title}</span>
        {errors > 0 && <Errors count={errors} />}
        <span aria-hidden className="ml-auto text-muted underline underline-offset-4 group-open:hidden">
          All sections
        </span>
      </summary>
      <nav aria-label="All sections" className="max-h-[60dvh] overflow-y-auto px-4 pb-3 sm:px-0">
        <Entries entries={entries} onChosen={() => details.current && (details.current.open = false)} />
      </nav>
    </details>
  );
}

const Entries = ({ entries, onChosen }: { entries: Entry[]; onChosen?: () => void }) => (
  <ol className="grid text-sm">
    {entries.map(({ title, isCurrent, errors, lacks }) => (
      <li key={title}>
        <a
          href={`#${idOf(title)}`}
          aria-current={isCurrent ? "location" : undefined}
          className="group/entry flex min-h-8 flex-wrap items-center justify-between gap-x-2 border-l-2 border-transparent py-1 pl-3 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink max-lg:min-h-10"
          onClick={(event) => {
            onChosen?.();
            open(event, title);
          }}
        >
          <span className="underline-offset-4 group-hover/entry:underline">{title}</span>
          {errors ? (
            <Errors count={errors} />
          ) : (
            lacks && <span className="text-sm font-normal text-muted">{lacks}</span>
          )}
        </a>
      </li>
    ))}
  </ol>
);

const Errors = ({ count }: { count: number }) => (
  <span className="inline-flex items-center gap-1 text-sm font-medium text-danger">
    <CircleAlert aria-hidden size={14} />
    <span>{counted(count, "error")}</span>
  </span>
);

function open(event: MouseEvent, title: string) {
  event.preventDefault();
  const section = document.getElementById(idOf(title));
  goToPart(section, section?.querySelector("h2"));
}

/** The state of each section, by title. */
function useStates(parts: RefObject<HTMLElement | null>, sections: Section[], lacking: Props["lacking"]) {
  const [states, setStates] = useState<Record<string, State>>({});
  // Subscribes to the form's errors.
  useFormState();
  useEffect(() => {
    const form = parts.current?.closest("form");
    if (!form) return;
    const look = () => {
      const lacks = lacking(new FormData(form));
      const found = sections.map(({ title }): [string, State] => [
        title,
        { errors: errorsIn(document.getElementById(idOf(title))), lacks: lacks[title] },
      ]);
      setStates((before) => sameOr(before, Object.fromEntries(found)));
    };
    let frame = requestAnimationFrame(look);
    // After the change has rendered.
    const lookSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    form.addEventListener("input", lookSoon);
    form.addEventListener("click", lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      form.removeEventListener("input", lookSoon);
      form.removeEventListener("click", lookSoon);
    };
  });
  return states;
}

const errorsIn = (section: HTMLElement | null) =>
  section?.querySelectorAll("[aria-invalid=true], [data-invalid]").length ?? 0;

/** The previous value if equal, to avoid a render. */
const sameOr = <T,>(before: T, after: T) =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after;

/** The id of the section that is being read or filled in. */
function useCurrent(parts: RefObject<HTMLElement | null>) {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const container = parts.current;
    if (!container) return;
    const goTo = (section: Element | null | undefined) => section && setCurrent(section.id);
    // The section that crosses a line in the upper part of the window, unless the focus is in view.
    const observer = new IntersectionObserver(
      (entries) => {
        const focused = container.querySelector(":scope > :focus-within");
        const entered = entries.find(({ isIntersecting }) => isIntersecting)?.target;
        goTo(focused && isInView(focused) ? focused : entered);
      },
      { rootMargin: "-25% 0px -74% 0px" },
    );
    for (const section of container.children) observer.observe(section);
    const follow = () => goTo(container.querySelector(":scope > :focus-within"));
    container.addEventListener("focusin", follow);
    return () => {
      observer.disconnect();
      container.removeEventListener("focusin", follow);
    };
  }, [parts]);
  return current;
}

function isInView(element: Element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
