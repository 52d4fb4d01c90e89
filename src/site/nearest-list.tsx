import { isRouteErrorResponse, useLoaderData, useRouteError } from "react-router";
import { Link } from "#site/document/link.tsx";
import type { Nearest as Found } from "#worker/discovery/nearest.ts";

type Data = { nearest?: Found[] } | null | undefined;

/** On a 404 page: the pages whose titles are nearest to the address, from the loader. */
export default function NearestList() {
  const found = useData()?.nearest ?? [];
  if (found.length === 0) return null;
  return (
    <nav aria-labelledby="nearest" className="w-full max-w-xl">
      <h2 id="nearest" className="text-base font-semibold">
        Did you mean
      </h2>
      <ul>
        {found.map(({ path, title }) => (
          <li key={path} className="border-b border-rule py-3">
            <Link
              to={path}
              className="headline inline-block min-w-6 py-0.5 text-xl underline-offset-[0.15em] hover:underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A loader throws its data if its page has its own text for missing items (`orNearest` in loader.server.ts). */
function useData() {
  const error = useRouteError();
  const loaded: Data = useLoaderData();
  return isRouteErrorResponse(error) ? (error.data as Data) : loaded;
}
