import type { ComponentProps, ReactNode } from "react";
import type { LinkProps } from "react-router";
import { Link } from "#site/document/link.tsx";
import { cx } from "./cx.ts";

/** Hover style of filled buttons. */
const deeper = "not-disabled:hover:[filter:brightness(0.92)]";

const tones = {
  primary: `border-accent bg-accent text-on-accent ${deeper}`,
  signal: `border-signal bg-signal text-on-signal ${deeper}`,
  danger: `border-danger bg-danger text-on-danger ${deeper}`,
  quiet: "border-edge bg-transparent text-ink not-disabled:hover:border-ink not-disabled:hover:bg-tint",
  /** Without a border, for rows and toolbars. */
  bare: "border-transparent bg-transparent text-ink not-disabled:hover:bg-tint",
};

const sizes = {
  sm: "min-h-8 gap-1.5 px-3 text-sm",
  md: "min-h-10 gap-2 px-4 text-sm",
  lg: "min-h-12 gap-2.5 px-6 text-base",
  /** One icon, which needs an `aria-label`. */
  icon: "size-10 shrink-0 p-0",
};

type Look = { tone?: keyof typeof tones; size?: keyof typeof sizes };

export const buttonClass = ({ tone = "quiet", size = "md" }: Look) => cx("button", tones[tone], sizes[size]);

type ButtonProps = Look & {
  /** Busy: it cannot be pressed again, is announced as busy, and keeps the focus, which a disabled button loses. */
  busy?: boolean;
} & ComponentProps<"button">;

export function Button({ tone, size, busy, className, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClass({ tone, size }), className)}
    >
      {busy === undefined ? (
        children
      ) : (
        <>
          {busy && <Spinner />}
          <span className="contents">{children}</span>
        </>
      )}
    </button>
  );
}

/** A link that looks like a button. The browser opens another site, or with `reloadDocument` a file. */
export function ButtonLink({ tone, size, className, to, ...rest }: Look & LinkProps & { to: string }) {
  const isForeign = !to.startsWith("/") || rest.reloadDocument;
  return (
    <Link
      to={to}
      {...(isForeign && { rel: "noopener", discover: "none" as const })}
      {...rest}
      className={cx(buttonClass({ tone, size }), className)}
    />
  );
}

const Spinner = () => (
  <span
    aria-hidden
    className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent"
  />
);

export function ButtonRow({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx("flex flex-wrap items-center gap-3", className)}>{children}</div>;
}
