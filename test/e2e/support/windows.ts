/** The widths of a small phone and of a desk. */
export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

/** `npm run test:full` tests each window size and theme; `npm test` tests each once. */
export const sweepsAll = process.env["SWEEPS"] === "all";

/** The windows and themes that a screen is looked at in. */
export const looks = [
  { viewport: phone, colorScheme: "dark" },
  { viewport: desktop, colorScheme: "light" },
  ...(sweepsAll
    ? ([
        { viewport: phone, colorScheme: "light" },
        { viewport: desktop, colorScheme: "dark" },
      ] as const)
    : []),
] as const;
