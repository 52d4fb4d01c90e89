import { artworkFaults, fittingSide } from "#worker/episodes/artwork/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";

/** Where a photograph's losses do not show yet. */
const QUALITY = 0.9;

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

/** The middle of a picture as a square JPEG; what is transparent becomes white. */
async function makeFittingCopy({ url, name }: StoredFile, side: number) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const picture = await createImageBitmap(await response.blob());
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("This browser can’t convert pictures.");
  context.fillStyle = "white";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  const shorter = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - shorter) / 2, (picture.height - shorter) / 2];
  context.drawImage(picture, left, top, shorter, shorter, 0, 0, side, side);
  picture.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/jpeg", QUALITY);
  const blob = await promise;
  if (!blob) throw new Error("The picture couldn’t be converted.");
  return new File([blob], `${name.replace(/\.\w+$/, "")}-${side}.jpg`, { type: blob.type });
}
