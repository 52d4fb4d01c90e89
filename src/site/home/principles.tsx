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
            className="grid grid-cols-[2.5rem_1fr] gap-x-4 gap-y-1 border-t border-rule py-5 first:border-t-0 first:pt-0 md:grid-cols-[4rem_1fr_1fr] md:items-baseline md:gap-x-6"
          >
            <span aria-hidden className="headline text-2xl text-signal">
              {position + 1}
            </span>
            <h3 className="headline self-baseline text-xl">{card.title}</h3>
            <p className="col-start-2 font-reading text-lg text-muted md:col-start-3">{card.text}</p>
          </li>
        ))}
      </ol>
    </Department>
  );
}
