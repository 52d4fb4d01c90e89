import { ArrowUpRight } from "#site/ui/icons.tsx";
import { cx } from "#site/ui/cx.ts";
import { Picture } from "#site/ui/picture.tsx";
import type { Venture } from "#worker/ventures/contract.ts";
import { Landform } from "#site/shell/landform.tsx";
import { ventureIcons } from "./venture-icons.tsx";

/** Wide window: two large ones, then three in a row. In rows of two, an odd one comes first. */
export function VentureGrid({ ventures }: { ventures: Venture[] }) {
  if (ventures.length === 0) return null;
  return (
    <section aria-labelledby="ventures" className="border-t border-ink pt-5">
      <h2 id="ventures" className="headline mb-8 text-2xl">
        Ventures
      </h2>
      <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 sm:gap-y-10 lg:grid-cols-6 lg:gap-x-10 lg:gap-y-12">
        {ventures.map((venture, position) => {
          const isOdd = position === 0 && ventures.length % 2 === 1;
          return (
            <li
              key={venture.id}
              className={cx("lg:col-span-2 lg:nth-[-n+2]:col-span-3", isOdd && "sm:max-lg:col-span-2")}
            >
              <VentureCard venture={venture} isOdd={isOdd} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function VentureCard({ venture, isOdd }: { venture: Venture; isOdd: boolean }) {
  const { name, description, url, icon } = venture;
  const Icon = ventureIcons[icon];
  return (
    <article
      className={cx(
        "group relative grid gap-4 max-sm:grid-cols-[5.5rem_1fr]",
        isOdd && "sm:max-lg:grid-cols-2 sm:max-lg:gap-8",
      )}
    >
      <VenturePicture venture={venture} />
      <div className="grid content-start gap-x-3 gap-y-1 sm:grid-cols-[auto_1fr]">
        <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-1 text-accent max-sm:hidden" />
        <h3 className="headline text-xl">
          {url ? (
            <a
              href={url}
              rel="noopener"
              className="inline-block py-px decoration-1 underline-offset-4 after:absolute after:inset-0 group-hover:underline"
            >
              {name}
            </a>
          ) : (
            name
          )}
        </h3>
        <p className="text-muted sm:col-start-2">{description}</p>
        {url && (
          <p className="kicker mt-1 sm:col-start-2">
            <span>{new URL(url).host}</span>
            <ArrowUpRight aria-hidden size={14} className="ml-1 inline align-[-0.15em] max-sm:hidden" />
          </p>
        )}
      </div>
    </article>
  );
}

function VenturePicture({ venture: { id, picture } }: { venture: Venture }) {
  const frame = "aspect-square w-full object-cover sm:aspect-3/2";
  if (!picture) return <Landform seed={id * 7} className={frame} />;
  return (
    <Picture
      picture={picture}
      sizes="(min-width: 64rem) 36rem, (min-width: 40rem) 50vw, 100vw"
      className={`${frame} bg-tint`}
    />
  );
}
