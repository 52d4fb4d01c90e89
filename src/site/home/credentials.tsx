import type { PageContent } from "#worker/pages/contract.ts";
import { Department } from "./department.tsx";

type Props = { title: string; credentials: PageContent<"home">["credentials"] };

export function Credentials({ title, credentials }: Props) {
  if (credentials.length === 0) return null;
  return (
    <Department title={title} more={{ to: "/about", label: "About" }}>
      <ul className="grid gap-x-10 sm:grid-cols-2">
        {credentials.map((card) => (
          <li key={card.title} className="border-b border-rule py-3 first:pt-0 sm:nth-2:pt-0">
            <h3 className="headline text-lg">{card.title}</h3>
            <p className="font-reading text-base text-muted">{card.text}</p>
          </li>
        ))}
      </ul>
    </Department>
  );
}
