import avifUrl from "../fixtures/camera.avif?inline";
import heicUrl from "../fixtures/camera.heic?inline";
import jpegUrl from "../fixtures/camera.jpg?inline";
import pngUrl from "../fixtures/camera.png?inline";
import webpUrl from "../fixtures/camera.webp?inline";
import gifUrl from "../fixtures/moving.gif?inline";
import movingPngUrl from "../fixtures/moving.png?inline";
import movingWebpUrl from "../fixtures/moving.webp?inline";
import progressiveUrl from "../fixtures/progressive.jpg?inline";
import { cleanPicture } from "#worker/files/pictures/metadata/clean.ts";
import { join } from "./mp3.ts";

const bytesOf = (url: string) => Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));

/**
 * Pictures of 48 × 32 pixels with a Display P3 profile, whose metadata has MARKER-artist, MARKER-serial,
 * MARKER-xmp and so on, a place in Berlin and the orientation 6. A GIF has a comment and XMP.
 */
export const photographs = {
  "camera.jpg": { type: "image/jpeg", bytes: bytesOf(jpegUrl) },
  "progressive.jpg": { type: "image/jpeg", bytes: bytesOf(progressiveUrl) },
  "camera.png": { type: "image/png", bytes: bytesOf(pngUrl) },
  "camera.webp": { type: "image/webp", bytes: bytesOf(webpUrl) },
  "moving.webp": { type: "image/webp", bytes: bytesOf(movingWebpUrl) },
  "moving.gif": { type: "image/gif", bytes: bytesOf(gifUrl) },
  "camera.avif": { type: "image/avif", bytes: bytesOf(avifUrl) },
  "camera.heic": { type: "image/heic", bytes: bytesOf(heicUrl) },
};

/** A PNG of two frames, without metadata. */
export const movingPng = bytesOf(movingPngUrl);

export type Photograph = keyof typeof photographs;

export async function clean({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const file = new Blob([bytes], { type });
  return new Uint8Array(await (await cleanPicture(file)).bytes(file));
}

export const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
export const hasText = (bytes: Uint8Array, text: string) =>
  new TextDecoder("latin1").decode(bytes).includes(text);

export const number = (value: number, bytes: number, isLittle = false) => {
  const digits = Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
  return new Uint8Array(isLittle ? digits : digits.toReversed());
};

/** A JPEG segment. */
export const segment = (marker: number, data: Uint8Array) =>
  join([new Uint8Array([0xff, marker]), number(data.length + 2, 2), data]);
/** A PNG chunk whose checksum is not read. */
export const chunk = (type: string, data: Uint8Array) =>
  join([number(data.length, 4), latin1(type), data, new Uint8Array(4)]);
/** A RIFF chunk, with its padding. */
export const riffChunk = (type: string, data: Uint8Array) =>
  join([latin1(type), number(data.length, 4, true), data, new Uint8Array(data.length % 2)]);
export const riff = (type: string, ...chunks: Uint8Array[]) =>
  riffChunk("RIFF", join([latin1(type), ...chunks]));
/** A box of MP4 and its relatives. */
export const box = (type: string, ...contents: Uint8Array[]) => {
  const content = join(contents);
  return join([number(content.length + 8, 4), latin1(type), content]);
};
/** The bytes with others inserted at a position. */
export const inserted = (bytes: Uint8Array, at: number, more: Uint8Array) =>
  join([bytes.subarray(0, at), more, bytes.subarray(at)]);
