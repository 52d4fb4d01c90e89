import { cx } from "#site/ui/cx.ts";
import type { Picture } from "#worker/files/contract.ts";
import { Landform } from "../landform.tsx";

type PictureProps = {
  picture: Picture | null;
  /** Draws the stand-in when there is no picture. */
  seed: number;
  /** How wide it stands, as in an image's `sizes`. */
  sizes: string;
  /** The largest picture above the fold is asked for first, whatever is below it late. */
  priority?: boolean;
  className?: string;
};

/** An essay's picture in its 3:2 frame. */
export function EssayPicture({ picture, seed, sizes, priority, className }: PictureProps) {
  const frame = cx("block aspect-3/2 w-full object-cover", className);
  if (!picture) return <Landform seed={seed} className={frame} />;
  return (
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
      className={cx(frame, "bg-tint")}
    />
  );
}
