import { cx } from "#site/ui/cx.ts";
import { Picture, type PictureProps } from "#site/ui/picture.tsx";
import { Landform } from "./generated-artwork.tsx";

type StandInProps = Omit<PictureProps, "picture"> & {
  picture: PictureProps["picture"] | null;
  /** Seed of the drawing that replaces a missing picture. */
  seed: number;
};

type ArtworkProps = StandInProps & {
  /** A number in the drawing; null for none. */
  figure?: number | null;
  /** The show's name, if the drawing is large enough to read it. */
  show?: string;
};

/** An episode's or the show's square picture. */
export function Artwork({ picture, seed, figure, show, className, ...place }: ArtworkProps) {
  const frame = cx("aspect-square w-full", className);
  if (!picture) return <Landform seed={seed} figure={figure} label={show} className={cx("block", frame)} />;
  return <Picture {...place} picture={picture} className={cx(frame, "bg-tint")} />;
}

/** An essay's picture in its 3:2 frame. */
export function EssayPicture({ picture, seed, className, ...place }: StandInProps) {
  const frame = cx("aspect-3/2 w-full", className);
  if (!picture) return <Landform width={900} seed={seed} className={cx("block", frame)} />;
  return <Picture {...place} picture={picture} className={cx(frame, "bg-tint")} />;
}
