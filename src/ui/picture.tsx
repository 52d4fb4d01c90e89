import { cx } from "./cx.ts";

export type PictureProps = {
  /** `srcset` names the smaller copies; empty where there are none. Pixels, null where unknown. */
  picture: { src: string; srcset: string; alt: string; width: number | null; height: number | null };
  /** How wide it stands, as in an image's `sizes`. */
  sizes: string;
  /** The largest picture above the fold is asked for first, whatever is below it late. */
  priority?: boolean;
  className?: string;
};

/** A picture in the size that its place needs, which is kept free before it is there. */
export const Picture = ({ picture, sizes, priority, className }: PictureProps) => (
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
);
