import { grouped } from "#site/ui/format.ts";
import type { Counted } from "#worker/analytics/contract.ts";
import { Nothing, Section } from "./section.tsx";
import type { DefinedFigure } from "./definitions.ts";

type Props = {
  of: DefinedFigure;
  /** What a row is: "Site". */
  noun: string;
  /** What is counted: "Views". */
  counted: string;
  rows: Counted[];
};

/** Counts of one kind under each other, each with a line as long as its part of the largest. */
export function Counts({ of, noun, counted, rows }: Props) {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Section of={of} level={3}>
      {rows.length === 0 ? (
        <Nothing />
      ) : (
        <table className="w-full text-left text-sm">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="pb-1 font-normal">
                {noun}
              </th>
              <th scope="col" className="pb-1 text-right font-normal">
                {counted}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, count }) => (
              <tr key={name} className="border-t border-rule">
                <th scope="row" className="w-full py-2 pr-4 font-normal wrap-anywhere">
                  <span dir="auto">{name}</span>
                  <span
                    aria-hidden
                    className="mt-1 block h-0.5 bg-accent"
                    style={{ width: `${(count / largest) * 100}%` }}
                  />
                </th>
                <td className="py-2 text-right figures">{grouped(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
