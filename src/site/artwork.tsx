import { cx } from "#site/ui/cx.ts";
import { Landform } from "./landform.tsx";

type ArtworkProps = {
  src: string | null;
  alt: string;
  /** Draws the stand-in when there is no picture. */
  seed: number;
  /** A number or a letter set large in the stand-in. */
  figure?: string;
  /** CSS pixels at its largest; reserves the place before the picture is there. */
  size: number;
  /** The largest picture above the fold is asked for first, whatever is below it late. */
  priority?: boolean;
  className?: string;
};

/** An episode's or the show's square picture. */
export function Artwork({ src, alt, seed, figure, size, priority, className }: ArtworkProps) {
  const frame = cx("block aspect-square w-full object-cover", className);
  if (!src) return <Landform seed={seed} figure={figure} className={frame} />;
  return (
    <img
      src={src}
      alt={alt}
      width={size}
      height={size}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : "auto"}
      decoding="async"
      className={cx(frame, "bg-tint")}
    />
  );
}
