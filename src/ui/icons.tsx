import type { ReactNode, SVGProps } from "react";

/**
 * The icons of the public pages: lucide's drawings (ISC licence), rounded to a tenth of a unit, without its runtime,
 * which is larger than all of them. Later chunks and the admin area use lucide-react itself.
 */

type IconProps = SVGProps<SVGSVGElement> & { size?: number };

export type Icon = (props: IconProps) => ReactNode;

/** From one path: lucide's circles and rectangles are written as paths too. */
export const icon = (d: string): Icon =>
  function Icon({ size = 24, ...rest }: IconProps) {
    return (
      <svg
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...rest}
      >
        <path d={d} />
      </svg>
    );
  };

export const ArrowLeft = icon("m12 19-7-7 7-7M19 12H5");
export const ArrowRight = icon("M5 12h14m-7-7 7 7-7 7");
export const ArrowUpRight = icon("M7 7h10v10M7 17 17 7");
export const Download = icon("M12 15V3m9 12v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5");
export const Link2 = icon("M9 17H7A5 5 0 0 1 7 7h2m6 0h2a5 5 0 1 1 0 10h-2m-7-5h8");
export const ListMusic = icon("M16 5H3m8 7H3m8 7H3m18-3V5m0 11a3 3 0 1 1-6 0 3 3 0 0 1 6 0");
export const Mail = icon(
  "m22 7-9 5.7a2 2 0 0 1-2 0L2 7m2-3h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2",
);
export const Menu = icon("M4 5h16M4 12h16M4 19h16");
export const Monitor = icon(
  "M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2m4 18h8m-4-4v4",
);
export const Moon = icon("M21 12.5A9 9 0 1 1 11.5 3c.4 0 .6.5.4.8a6 6 0 0 0 8.3 8.3c.3-.2.8 0 .8.4");
export const Pause = icon(
  "M15 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M6 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1",
);
export const Play = icon("M5 5a2 2 0 0 1 3-1.7l12 7a2 2 0 0 1 0 3.4l-12 7A2 2 0 0 1 5 19z");
export const Search = icon("m21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0");
export const Sun = icon(
  "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 2v2m0 16v2M5 5l1.4 1.4m11.2 11.2L19 19M2 12h2m16 0h2M6.4 17.6 5 19M19 5l-1.4 1.4",
);
export const X = icon("M18 6 6 18M6 6l12 12");
