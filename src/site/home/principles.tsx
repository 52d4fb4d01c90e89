import type { Site } from "#worker/settings/contract.ts";
import { Department } from "./department.tsx";

export function Principles({ principles }: { principles: Site["principles"] }) {
  if (principles.length === 0) return null;
  return (
    <Department title="Principles I Lead By">
      <ol>
        {principles.map(({ title, text }, position) => (
          <li
            key={title}
            className="grid grid-cols-[2.5rem_1fr] gap-x-4 gap-y-1 border-t border-rule py-5 first:border-t-0 first:pt-0 md:grid-cols-[4rem_1fr_1fr] md:items-baseline md:gap-x-6"
          >
            <span aria-hidden className="headline text-2xl text-signal">
              {position + 1}
            </span>
            <h3 className="headline self-baseline text-xl">{title}</h3>
            <p className="col-start-2 font-reading text-lg text-muted md:col-start-3">{text}</p>
          </li>
        ))}
      </ol>
    </Department>
  );
}
