/** Class names joined; what is false or absent is left out. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");
