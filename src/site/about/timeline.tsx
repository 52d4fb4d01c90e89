import type { PageContent } from "#worker/pages/contract.ts";

type Props = { title: string; entries: PageContent<"about">["timeline"] };

/** Vertical on a phone, horizontal on a wide window. */
export function Timeline({ title: heading, entries }: Props) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline" className="headline mb-8 text-2xl">
        {heading}
      </h2>
      <ol className="max-lg:border-l max-lg:border-ink lg:grid lg:grid-cols-5 lg:gap-y-12">
        {entries.map(({ year, title, text }) => (
          <li
            key={`${year} ${title}`}
            className="relative pb-8 pl-7 last:pb-0 lg:border-t lg:border-ink lg:pt-7 lg:pr-6 lg:pb-0 lg:pl-0"
          >
            <span
              aria-hidden
              className="absolute top-2.5 -left-[5px] size-[9px] rounded-full bg-signal lg:-top-[5px] lg:left-0"
            />
            <p className="headline text-xl text-signal figures">{year}</p>
            <h3 className="mt-1 font-semibold">{title}</h3>
            {text && <p className="mt-1 max-w-xl text-muted">{text}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
