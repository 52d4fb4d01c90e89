import type { ReactNode } from "react";

const Icon = ({ className, children }: { className?: string; children: ReactNode }) => (
  <svg aria-hidden viewBox="0 0 24 24" width="22" height="22" className={className}>
    {children}
  </svg>
);

const filled = (path: string, className?: string) => (
  <Icon className={className}>
    <path d={path} fill="currentColor" />
  </Icon>
);

export const PlayIcon = () => filled("M7 4.5v15l12.5-7.5z", "when-paused");
export const PauseIcon = () => filled("M6.5 5h4v14h-4zm7 0h4v14h-4z", "when-playing");
export const PreviousIcon = () => filled("M6 5h2.4v14H6zm13 0v14l-9.5-7z");
export const NextIcon = () => filled("M15.6 5H18v14h-2.4zM5 5l9.5 7L5 19z");

/** An arrow around the number of seconds to skip. */
const skip = (arrow: string, seconds: number) => (
  <Icon>
    <path d={arrow} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    <text x="12" y="15.2" fontSize="8" fontWeight="600" textAnchor="middle" fill="currentColor">
      {seconds}
    </text>
  </Icon>
);

export const BackIcon = () => skip("M5 3v4h4M5.3 6.7a9 9 0 1 1-2.1 3.8", 15);
export const ForwardIcon = () => skip("M19 3v4h-4M18.7 6.7a9 9 0 1 0 2.1 3.8", 30);
