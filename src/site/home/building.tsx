import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { crumbsOf } from "#worker/addresses.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { Department } from "./department.tsx";

type Props = { title: string; cards: PageContent<"home">["building"] };

/** Three columns of cards, each with a link to its page. */
export function Building({ title, cards }: Props) {
  if (cards.length === 0) return null;
  return (
    <Department title={title} isWide>
      <ul className="grid gap-4 md:grid-cols-3 md:gap-0 md:ruled-columns">
        {cards.map((card) => (
          <li
            key={card.title}
            className="grid content-start gap-2 max-md:border-t max-md:border-rule max-md:pt-4 max-md:first:border-t-0 max-md:first:pt-0 md:px-8 md:first:pl-0 md:last:pr-0"
          >
            <h3 className="headline text-xl">{card.title}</h3>
            <p className="font-reading text-base text-muted">{card.text}</p>
            <MoreAt {...card} />
          </li>
        ))}
      </ul>
    </Department>
  );
}

/** The link's label is the page's label, or the card's title. */
function MoreAt({ to, title }: { to: string; title: string }) {
  const label = crumbsOf(to).at(-1)?.label ?? title;
  return (
    <Link
      to={to}
      className="flex min-h-8 w-fit items-center gap-1.5 font-medium text-accent underline-offset-4 hover:underline"
    >
      <span>{label}</span>
      <span className="sr-only">{`: ${title}`}</span>
      <ArrowRight aria-hidden size={16} />
    </Link>
  );
}
