import type { PageContent } from "#worker/pages/contract.ts";
import { Department } from "./department.tsx";

type Props = { title: string; principles: PageContent<"home">["principles"] };

export function Principles({ title, principles }: Props) {
  if (principles.length === 0) return null;
  return (
    <Department title={title}>
      <ol>
        {principles.map((card, position) => (
          <li
            key={card.title}
            className="grid grid-cols-[1.5rem_1fr] gap-x-4 border-t border-rule py-4 first:border-t-0 first:pt-0 md:grid-cols-[3rem_1fr_1fr] md:items-baseline md:gap-x-6"
          >
            <span aria-hidden className="headline text-xl text-signal">
              {position + 1}
            </span>
            <h3 className="headline self-baseline text-xl">{card.title}</h3>
            <p className="col-start-2 font-reading text-base text-muted md:col-start-3">{card.text}</p>
          </li>
        ))}
      </ol>
    </Department>
  );
}
