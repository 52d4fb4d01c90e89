import { cx } from "./cx.ts";

/** In `sizes`: from margin to margin on a phone. */
export const ACROSS = "calc(100vw - 2.5rem)";

export type PictureProps = {
  picture: {
    src: string;
    /** Smaller copies in WebP, and in AVIF; empty if there are none. */
    srcset: string;
    avif: string;
    alt: string;
    /** In px, null if unknown. */
    width: number | null;
    height: number | null;
  };
  /** Width in the layout, as in an image's `sizes`. */
  sizes: string;
  /** For the largest picture above the fold: loads eagerly with high priority; others load lazily. */
  priority?: boolean;
  className?: string;
};

/**
 * A responsive picture that reserves its space. Narrow windows get AVIF, a third of the bytes; there are no AVIF copies
 * in the sizes for wide windows.
 */
export const Picture = ({ picture, sizes, priority, className }: PictureProps) => (
  <picture className="contents">
    {picture.avif ? (
      // Hidden, because a grid would give it a cell.
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
