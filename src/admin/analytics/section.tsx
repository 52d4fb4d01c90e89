import { useId, type ReactNode } from "react";
import { Definition } from "./definition.tsx";
import { definitions, type DefinedFigure } from "./definitions.ts";

type Props = {
  /** Its heading is that of the definition. */
  of: DefinedFigure;
  level?: 2 | 3;
  /** Beside the heading. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A part of the panel with a heading and a button for its definition. */
export function Section({ of, level = 2, aside, children }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section
      aria-labelledby={id}
      className={level === 2 ? "grid gap-4 border-t border-rule py-8" : "grid content-start gap-3"}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Heading id={id} className={level === 2 ? "text-lg font-semibold" : "text-base font-semibold"}>
          {definitions[of].title}
        </Heading>
        <Definition of={of} />
        {aside && <div className="ml-auto">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** Replaces an empty list. */
export const Nothing = ({ children = "Nothing was counted in this period." }: { children?: string }) => (
  <p className="text-sm text-muted">{children}</p>
);
