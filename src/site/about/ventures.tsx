import { ArrowUpRight } from "#site/ui/icons.tsx";
import { cx } from "#site/ui/cx.ts";
import { Picture } from "#site/ui/picture.tsx";
import type { Venture } from "#worker/ventures/contract.ts";
import { ventureIcons } from "./venture-icons.tsx";

/**
 * Cards if every venture has a picture: in a wide window two large ones, then three in a row; in rows of two, an odd
 * one comes first. Otherwise a ruled list.
 */
export function Ventures({ ventures }: { ventures: Venture[] }) {
  if (ventures.length === 0) return null;
  return (
    <section aria-labelledby="ventures" className="border-t border-ink pt-5">
      <h2 id="ventures" className="headline mb-8 text-2xl">
        Ventures
      </h2>
      {ventures.every(({ picture }) => picture) ? (
        <VentureGrid ventures={ventures} />
      ) : (
        <ul>
          {ventures.map((venture) => (
            <li key={venture.id} className="border-t border-rule py-6 last:pb-0 lg:py-8">
              <VentureRow venture={venture} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const VentureGrid = ({ ventures }: { ventures: Venture[] }) => (
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
);

function VentureCard({ venture, isOdd }: { venture: Venture; isOdd: boolean }) {
  const Icon = ventureIcons[venture.icon];
  return (
    <article
      className={cx(
        "group relative grid gap-4 max-sm:grid-cols-[5.5rem_1fr]",
        isOdd && "sm:max-lg:grid-cols-2 sm:max-lg:gap-8",
      )}
    >
      <VenturePicture
        venture={venture}
        sizes="(min-width: 64rem) 36rem, (min-width: 40rem) 50vw, 100vw"
        className="aspect-square w-full sm:aspect-3/2"
      />
      <div className="grid content-start gap-x-3 gap-y-1 sm:grid-cols-[auto_1fr]">
        <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-1 text-accent max-sm:hidden" />
        <Name venture={venture} />
        <p className="text-muted sm:col-start-2">{venture.description}</p>
        <Host venture={venture} className="mt-1 sm:col-start-2" />
      </div>
    </article>
  );
}

/** Icon, name, description: beside each other in a wide window. */
function VentureRow({ venture }: { venture: Venture }) {
  const Icon = ventureIcons[venture.icon];
  return (
    <article className="group relative grid grid-cols-[4rem_1fr] gap-x-5 gap-y-1 sm:grid-cols-[7rem_1fr] lg:grid-cols-[7rem_5fr_6fr] lg:gap-x-10">
      <div className="row-span-3 lg:row-span-2">
        {venture.picture ? (
          <VenturePicture venture={venture} sizes="7rem" className="aspect-square w-full" />
        ) : (
          <Icon aria-hidden strokeWidth={0.75} className="-ml-1 size-12 text-accent sm:-ml-1.5 sm:size-18" />
        )}
      </div>
      <Name venture={venture} />
      <p className="max-w-[36rem] text-muted lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:pt-1">
        {venture.description}
      </p>
      <Host venture={venture} className="lg:col-start-2 lg:row-start-2" />
    </article>
  );
}

const Name = ({ venture: { name, url } }: { venture: Venture }) => (
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
);

const Host = ({ venture: { url }, className }: { venture: Venture; className: string }) =>
  url && (
    <p className={cx("kicker", className)}>
      <span>{new URL(url).host}</span>
      <ArrowUpRight aria-hidden size={14} className="ml-1 inline align-[-0.15em] max-sm:hidden" />
    </p>
  );

type VenturePictureProps = { venture: Venture; sizes: string; className: string };

const VenturePicture = ({ venture: { picture }, sizes, className }: VenturePictureProps) =>
  picture && <Picture picture={picture} sizes={sizes} className={cx("bg-tint object-cover", className)} />;
