import { Button } from "#site/ui/button.tsx";

type Props<View extends string> = {
  label: string;
  views: Record<View, string>;
  current: View;
  onChange: (view: View) => void;
};

/** The same thing in another form. */
export const ViewSwitch = <View extends string>({ label, views, current, onChange }: Props<View>) => (
  <div role="group" aria-label={label} className="flex gap-1">
    {(Object.entries(views) as [View, string][]).map(([view, name]) => (
      <Button
        key={view}
        size="sm"
        tone={view === current ? "quiet" : "bare"}
        aria-pressed={view === current}
        onClick={() => view !== current && onChange(view)}
      >
        {name}
      </Button>
    ))}
  </div>
);
