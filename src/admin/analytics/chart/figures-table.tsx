import type { ReactNode } from "react";

type Props = {
  /** The first names the row. */
  columns: [string, ...string[]];
  rows: { key: string | number; cells: [ReactNode, ...ReactNode[]] }[];
};

/** The figures of a chart. */
export const FiguresTable = ({ columns, rows }: Props) => (
  <table className="w-full text-left figures">
    <thead className="sticky top-0 bg-paper text-muted">
      <tr className="*:py-2 *:pr-4 *:font-normal">
        {columns.map((column, at) => (
          <th key={column} scope="col" className={at === 0 ? undefined : "text-right"}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells: [name, ...figures] }) => (
        <tr key={key} className="border-t border-rule *:py-1.5 *:pr-4">
          <th scope="row" dir="auto" className="text-start font-normal wrap-anywhere">
            {name}
          </th>
          {figures.map((figure, at) => (
            <td key={columns[at + 1]} className="text-right">
              {figure}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
