/** The widths of a small phone and of a desk. */
export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

/** Whether each window size and theme is tested, and the tests marked @full run: docs/decisions/0078-what-npm-test-checks-once.md. */
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
