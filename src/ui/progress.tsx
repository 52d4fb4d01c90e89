import { useNavigation } from "react-router";
import { cx } from "./cx.ts";

/** Shown while the next page loads. */
export const NavigationProgress = () => <ProgressLine underway={useNavigation().state !== "idle"} />;

/** A line at the top of the window. */
export function ProgressLine({ underway }: { underway: boolean }) {
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      {underway && (
        <>
          <span className="block h-full w-2/5 animate-sweep bg-signal" />
          <span className="sr-only">Loading</span>
        </>
      )}
    </div>
  );
}

type BarProps = {
  /** 0 to 1; absent while unknown. */
  value?: number;
  label: string;
  className?: string;
};

/** Progress of a longer task. */
export const ProgressBar = ({ value, label, className }: BarProps) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
    className={cx("h-1 w-full overflow-hidden bg-tint", className)}
  >
    <span
      className={cx("block h-full bg-accent", value === undefined && "w-2/5 animate-sweep")}
      style={value === undefined ? undefined : { width: `${value * 100}%` }}
    />
  </div>
);
