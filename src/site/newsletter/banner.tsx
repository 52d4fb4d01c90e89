import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { useOffers, type Variant } from "./offers.ts";

const sentences: Record<Variant, string> = {
  newsletter: "The next letter is being written. Get it by email.",
  youtube: "The conversations are on YouTube too.",
  podcast: "Follow the podcast to hear the next conversation first.",
  all: "Three ways to keep up: read, listen, watch.",
};

type BannerProps = {
  variant: Variant;
  /** One of several in a row: without its own rule, and in narrow windows without the sentence. */
  brief?: boolean;
};

/** A call to action, as quiet as a footnote: one sentence and its links. */
export function Banner({ variant, brief = false }: BannerProps) {
  const { newsletter, youtube, podcast } = useOffers(variant);
  if (!newsletter && !youtube && !podcast) return null;
  return (
    <aside
      aria-label={sentences[variant]}
      className={cx(
        "flex flex-wrap items-baseline justify-between gap-x-8 gap-y-0.5 print:hidden",
        brief ? "content-between lg:py-2" : "border-t border-rule py-3",
      )}
    >
      <p className={cx("font-reading text-base text-muted", brief && "max-lg:sr-only")}>
        {sentences[variant]}
      </p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {newsletter && <Way to="#newsletter">Get the newsletter</Way>}
        {podcast && <Way to="/podcast">Listen to the podcast</Way>}
        {youtube && <Way to={youtube}>Subscribe on YouTube</Way>}
      </ul>
    </aside>
  );
}

const wayClass =
  "inline-flex min-h-8 items-center gap-1.5 text-sm font-medium text-accent underline-offset-4 hover:underline";

function Way({ to, children }: { to: string; children: string }) {
  const content = (
    <>
      {children}
      <ArrowRight aria-hidden size={16} />
    </>
  );
  return (
    <li>
      {to.startsWith("/") ? (
        <Link to={to} className={wayClass}>
          {content}
        </Link>
      ) : (
        <a href={to} className={wayClass}>
          {content}
        </a>
      )}
    </li>
  );
}
