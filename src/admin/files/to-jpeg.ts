/** Where a photograph's losses do not show yet. */
const QUALITY = 0.9;

type Area = { left: number; top: number; width: number; height: number };

/** A part of a picture in another size, as a JPEG. Transparent parts become white. Closes the picture. */
export async function toJpeg(
  picture: ImageBitmap,
  part: Area,
  { width, height }: Omit<Area, "left" | "top">,
) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("This browser can’t convert pictures.");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, part.left, part.top, part.width, part.height, 0, 0, width, height);
  picture.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/jpeg", QUALITY);
  const blob = await promise;
  if (!blob) throw new Error("The picture couldn’t be converted.");
  return blob;
}
