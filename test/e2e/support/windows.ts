/** The widths of a small phone and of a desk. */
export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };
