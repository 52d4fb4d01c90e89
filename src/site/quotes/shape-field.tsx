import { quoteShapes, type QuoteShape } from "#worker/sharing/quote-address.ts";

const names: Record<QuoteShape, string> = { square: "Square", portrait: "Portrait", wide: "Wide" };
const shapes = Object.keys(quoteShapes) as QuoteShape[];

type Props = { shape: QuoteShape; onChange: (shape: QuoteShape) => void };

/** Chooses the shape of a quote's picture or of a clip. */
export const ShapeField = ({ shape, onChange }: Props) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1.5 text-sm font-medium">Shape</legend>
    <div className="flex flex-wrap gap-x-5 gap-y-2">
      {shapes.map((each) => (
        <label key={each} className="flex items-center gap-2">
          <input
            type="radio"
            name="shape"
            checked={each === shape}
            onChange={() => onChange(each)}
            className="size-4 accent-accent"
          />
          <span>{names[each]}</span>
        </label>
      ))}
    </div>
  </fieldset>
);
