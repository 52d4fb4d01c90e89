type Props = { links: { position: number; url: string; presses: number }[] };

/** The clicks on a letter's links, if the owner counts them. */
export const LinkPresses = ({ links }: Props) =>
  links.length > 0 && (
    <section aria-labelledby="presses" className="mt-8 grid gap-4">
      <h2 id="presses" className="text-lg font-semibold">
        Links
      </h2>
      <p className="max-w-xl text-sm text-muted">
        Total clicks; individual readers aren’t tracked. Mail scanners that open every link are left out where
        they identify themselves.
      </p>
      <table className="w-full text-left text-sm">
        <thead className="border-b border-edge">
          <tr>
            <th scope="col" className="py-2 pr-4 font-medium">
              Address
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Clicks
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ position, url, presses }) => (
            <tr key={position} className="border-b border-rule">
              <td className="py-2 pr-4 wrap-anywhere">{url}</td>
              <td className="py-2 text-right figures">{presses.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
