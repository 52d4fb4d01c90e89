/** Pixels; the shape in which networks show the preview of a link. */
export const WIDTH = 1200;
export const HEIGHT = 630;

const MARGIN = 90;
const LINE = 1.15;
/** Pixels, the largest that fits first. */
const SIZES = [92, 76, 62, 50, 40];
const MAX_LINES = 6;

const serif = (size: number) => `500 ${size}px Newsreader, Georgia, serif`;

/** Fills the shape with a picture, cut evenly at the edges that are too long. */
export async function drawPicture(canvas: CanvasRenderingContext2D, address: string) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.max(WIDTH / width, HEIGHT / height);
  canvas.fillStyle = "#faf7f0";
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
  canvas.drawImage(
    image,
    (WIDTH - width * scale) / 2,
    (HEIGHT - height * scale) / 2,
    width * scale,
    height * scale,
  );
}

/** Sets a title on paper, as large as it fits. */
export async function drawWords(canvas: CanvasRenderingContext2D, title: string) {
  // Without it the fallback is drawn; the picture has one look in both themes.
  await document.fonts.load(serif(SIZES[0]!), title).catch(() => []);
  canvas.fillStyle = "#faf7f0";
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
  canvas.fillStyle = "#1f5a4c";
  canvas.fillRect(MARGIN, MARGIN, 120, 8);
  canvas.fillStyle = "#1c1a16";
  canvas.textBaseline = "top";
  const { size, lines } = fit(canvas, title);
  canvas.font = serif(size);
  const top = MARGIN + 60;
  lines.forEach((line, index) => canvas.fillText(line, MARGIN, top + index * size * LINE));
}

function fit(canvas: CanvasRenderingContext2D, title: string) {
  for (const size of SIZES) {
    canvas.font = serif(size);
    const lines = linesOf(canvas, title);
    const fits = lines.every((line) => canvas.measureText(line).width <= WIDTH - 2 * MARGIN);
    if (fits && lines.length * size * LINE <= HEIGHT - 2 * MARGIN - 60) return { size, lines };
  }
  const lines = linesOf(canvas, title);
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown[MAX_LINES - 1] += "…";
  return { size: SIZES.at(-1)!, lines: shown };
}

function linesOf(canvas: CanvasRenderingContext2D, text: string) {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line !== undefined && canvas.measureText(longer).width <= WIDTH - 2 * MARGIN)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
