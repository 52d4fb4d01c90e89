import { Play } from "lucide-react";

type RoundPlayProps = { label: string; disabled?: boolean; busy?: boolean; onPlay: () => void };

export const RoundPlay = ({ label, disabled, busy = false, onPlay }: RoundPlayProps) => (
  <button
    type="button"
    aria-label={label}
    aria-busy={busy || undefined}
    disabled={disabled}
    onClick={() => busy || onPlay()}
    className={
      "relative grid size-10 shrink-0 place-items-center rounded-full border border-edge text-accent transition-colors " +
      "not-disabled:hover:bg-tint disabled:cursor-default disabled:opacity-55"
    }
  >
    {/* Centres the triangle by its weight. */}
    <Play aria-hidden size={16} fill="currentColor" className="translate-x-[6%]" />
  </button>
);
