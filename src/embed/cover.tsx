import type { Picture } from "#worker/files/contract.ts";

/** Pixels. The cover is at most 198 px wide, and the whole embed may have 40 kB. */
const WIDEST = 320;

/** The copies of a `srcset` that an embed may load. */
const small = (srcset: string) =>
  srcset
    .split(", ")
    .filter((copy) => Number(/ (\d+)w$/.exec(copy)?.[1]) <= WIDEST)
    .join(", ");

export const Cover = ({ picture }: { picture: Picture }) => {
  const { srcset, avif, alt } = picture;
  const copies = small(srcset);
  const sizes = "(min-width: 30em) 198px, 72px";
  return (
    <picture>
      {small(avif) !== "" && <source type="image/avif" srcSet={small(avif)} sizes={sizes} />}
      <img
        className="cover"
        src={copies.split(" ")[0]}
        srcSet={copies}
        sizes={sizes}
        alt={alt}
        width={198}
        height={198}
        decoding="async"
      />
    </picture>
  );
};
