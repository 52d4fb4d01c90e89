/**
 * The first page of a first visit is painted in the system's fonts, which have the same metrics, but for its headlines.
 * The faces of running text come after that paint, together, so that the text changes once. A browser that has had them
 * uses them from the start: `fonts` stands on the root element, and app.css gives the families by it.
 */

const KEY = "fonts";

/** Runs before the first paint. Storage may be forbidden: then they come late on each page. */
export const fontsScript = `try {
  if (localStorage.getItem("${KEY}")) document.documentElement.classList.add("${KEY}");
} catch {}`;

/** A function's source, to be called after the first paint. */
export const loadFonts = `const loadFonts = async () => {
    const faces = ['1em "Newsreader Text"', '1em "Instrument Sans"'];
    await Promise.all(faces.map((face) => document.fonts.load(face)));
    document.documentElement.classList.add("${KEY}");
    try { localStorage.setItem("${KEY}", "1"); } catch {}
  };`;
