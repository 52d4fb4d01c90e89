type Props<Value extends string> = {
  legend: string;
  name: string;
  /** The values, each with its label, in the order shown. */
  options: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
};

export function RadioField<Value extends string>({ legend, name, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {(Object.entries(options) as [Value, string][]).map(([each, label]) => (
          <label key={each} className="flex items-center gap-2">
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => onChange(each)}
              className="size-4 accent-accent"
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
