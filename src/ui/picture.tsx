import { cx } from "./cx.ts";

/** In `sizes`: from margin to margin on a phone. */
export const ACROSS = "calc(100vw - 2.5rem)";

export type PictureProps = {
  picture: {
    src: string;
    /** Smaller copies in WebP, and in AVIF; empty where there are none. */
    srcset: string;
    avif: string;
    alt: string;
    /** In px, null where unknown. */
    width: number | null;
    height: number | null;
  };
  /** How wide it stands, as in an image's `sizes`. */
  sizes: string;
  /** The largest picture above the fold is asked for first, whatever is below it late. */
  priority?: boolean;
  className?: string;
};

/**
 * A picture in the size that its place needs, which is kept free before it is there. Narrow windows get AVIF, a third of
 * the bytes; it is not made as large as wide ones need it.
 */
export const Picture = ({ picture, sizes, priority, className }: PictureProps) => (
  <picture className="contents">
    {picture.avif ? (
      // Hidden, for a grid would give it a place of its own.
      <source
        media="(max-width: 48rem)"
        type="image/avif"
        srcSet={picture.avif}
        sizes={sizes}
        className="hidden"
      />
    ) : null}
    <img
      src={picture.src}
      srcSet={picture.srcset || undefined}
      sizes={picture.srcset ? sizes : undefined}
      alt={picture.alt}
      width={picture.width ?? undefined}
      height={picture.height ?? undefined}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : "auto"}
      decoding="async"
      className={cx("block object-cover", className)}
    />
  </picture>
);
