import WaveSurfer from "wavesurfer.js";
import RegionsPlugin, { type Region } from "wavesurfer.js/plugins/regions";
import { toTenth, type Sound } from "./sound.ts";

/** A point in time on the waveform, or a range. */
export type Mark = {
  id: string;
  /** In seconds. */
  start: number;
  end?: number;
  /** A number or word shown at its start. */
  label: string;
};

export type MoveMark = (id: string, start: number, end: number) => void;

/** In pixels, including the scrollbar. */
const HEIGHT = 96;

/** wavesurfer.js on the loaded audio, with marks that can be dragged. */
export class WaveView {
  readonly #host = document.createElement("div");
  readonly #wave: WaveSurfer;
  readonly #regions = RegionsPlugin.create();
  readonly #shown = new Map<string, Region>();
  readonly #cleanUp = new AbortController();
  #onMove: MoveMark = () => {};
  #zoom = 0;
  #marks: Mark[] = [];
  #isReady = false;

  constructor(box: HTMLElement, sound: Sound, peaks: Uint8Array) {
    // Created outside the document and styled before it is inserted: the content policy refuses its style element.
    this.#wave = WaveSurfer.create({
      container: this.#host,
      media: sound.media,
      peaks: [Float32Array.from(peaks, (byte) => byte / 255)],
      duration: sound.duration,
      height: HEIGHT,
      normalize: true,
      barWidth: 2,
      barGap: 1,
      cursorWidth: 2,
      cursorColor: "var(--color-signal)",
      autoCenter: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      plugins: [this.#regions],
      ...coloursIn(box),
    });
    adoptStyle(this.#host);
    box.appendChild(this.#host);
    this.#regions.on("region-updated", ({ id, start, end }) =>
      this.#onMove(id, toTenth(start), toTenth(end)),
    );
    // Before that, wavesurfer has no duration and places each mark at 0.
    this.#wave.once("ready", () => {
      this.#isReady = true;
      this.show(this.#marks, this.#onMove);
      this.#wave.zoom(this.#zoom);
    });
    this.#followTheme(box);
  }

  /** Pixels a second; 0 fits the whole waveform. */
  zoom(pixels: number) {
    if (pixels === this.#zoom) return;
    this.#zoom = pixels;
    if (this.#isReady) this.#wave.zoom(pixels);
  }

  show(marks: Mark[], onMove: MoveMark) {
    this.#onMove = onMove;
    this.#marks = marks;
    if (!this.#isReady) return;
    const ids = new Set(marks.map(({ id }) => id));
    for (const [id, region] of this.#shown) if (!ids.has(id)) this.#remove(id, region);
    marks.forEach((mark) => this.#place(mark));
  }

  #remove(id: string, region: Region) {
    region.remove();
    this.#shown.delete(id);
  }

  #place({ id, start, end = start, label }: Mark) {
    const region = this.#shown.get(id);
    if (!region) {
      const color = end > start ? STRETCH : "var(--color-accent)";
      const content = labelOf(label);
      this.#shown.set(id, this.#regions.addRegion({ id, start, end, color, content }));
      return;
    }
    if (region.start !== start || region.end !== end) region.setOptions({ start, end });
    if (region.content?.textContent !== label) region.setContent(labelOf(label));
  }

  #followTheme(box: HTMLElement) {
    const paint = () => this.#wave.setOptions(coloursIn(box));
    const observer = new MutationObserver(paint);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["class", "style"] });
    const { signal } = this.#cleanUp;
    signal.addEventListener("abort", () => observer.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint, { signal });
  }

  destroy() {
    this.#cleanUp.abort();
    this.#wave.destroy();
    this.#host.remove();
  }
}

const STRETCH = "color-mix(in srgb, var(--color-signal) 25%, transparent)";

/** A canvas cannot use custom properties. */
function coloursIn(box: HTMLElement) {
  const probe = document.createElement("span");
  box.appendChild(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = { waveColor: read("--color-edge"), progressColor: read("--color-accent") };
  probe.remove();
  return colours;
}

/**
 * Replaces the style element of wavesurfer's shadow root with a constructed style sheet, which the content policy
 * allows.
 */
function adoptStyle(host: HTMLElement) {
  const shadow = host.firstElementChild?.shadowRoot;
  const style = shadow?.querySelector("style");
  if (!shadow || !style) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  shadow.adoptedStyleSheets = [sheet];
  style.remove();
}

/** Large enough to drag with a finger. */
function labelOf(text: string) {
  const label = document.createElement("span");
  label.textContent = text;
  Object.assign(label.style, {
    display: "inline-block",
    minWidth: "24px",
    padding: "3px 5px",
    font: "600 12px/18px var(--font-sans)",
    textAlign: "center",
    color: "var(--color-on-accent)",
    background: "var(--color-accent)",
  });
  return label;
}
