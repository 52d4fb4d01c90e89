import { artworkFaults, fittingSide } from "#worker/episodes/artwork/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { toJpeg } from "../files/to-jpeg.ts";

/** The fault of the podcast's artwork, and a copy that would fit if one can be made, for its `FileField`. */
export function adviceOn(artwork: StoredFile | null) {
  const faults = artwork ? artworkFaults(artwork, "The artwork") : [];
  const side = artwork && fittingSide(artwork);
  if (!artwork || faults.length === 0) return {};
  const notice = faults.join(" ");
  if (!side) return { notice };
  const cut = artwork.width === artwork.height ? "" : ", cropped to the centre";
  const help = `A JPEG of ${side} × ${side} px${cut}.`;
  return { notice, copy: { label: "Use this copy", help, make: () => makeFittingCopy(artwork, side) } };
}

/** The middle of a picture as a square JPEG. */
async function makeFittingCopy({ url, name }: StoredFile, side: number) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const picture = await createImageBitmap(await response.blob());
  const shorter = Math.min(picture.width, picture.height);
  const middle = {
    left: (picture.width - shorter) / 2,
    top: (picture.height - shorter) / 2,
    width: shorter,
    height: shorter,
  };
  const blob = await toJpeg(picture, middle, { width: side, height: side });
  return new File([blob], `${name.replace(/\.\w+$/, "")}-${side}.jpg`, { type: blob.type });
}
