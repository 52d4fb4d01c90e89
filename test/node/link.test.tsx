import { renderToString } from "react-dom/server";
import {
  createMemoryRouter,
  Link as RouterLink,
  NavLink as RouterNavLink,
  RouterProvider,
} from "react-router";
import { expect, it } from "vitest";
import { ButtonLink } from "#site/ui/button.tsx";
import { Link, NavLink } from "#site/document/link.tsx";

const render = (element: React.ReactElement, at = "/essays/one") =>
  renderToString(
    <RouterProvider router={createMemoryRouter([{ path: "*", element }], { initialEntries: [at] })} />,
  );

const attributesOf = (html: string) =>
  [...html.matchAll(/ ([\w-]+="[^"]*")/g)].map(([, one]) => one).toSorted();

const addresses = [
  "/",
  "/essays",
  "/essays/a-b_c",
  "/search?q=a+b&kind=essay",
  "/#top",
  "/a?b=//c",
  "/a?",
  "/a#",
  "/a?#b",
  "/a/../b",
  "//a",
  "/a//b",
  "/a/",
  "?page=2",
  "#top",
  "two",
  "https://example.org/a",
];

it.each(addresses)("a link is written as the router would: %s", (to) => {
  const props = { to, className: "link", "aria-label": "There", tabIndex: -1, state: { from: "here" } };
  expect(attributesOf(render(<Link {...props} />))).toEqual(attributesOf(render(<RouterLink {...props} />)));
});

it.each([
  { mask: "/essays/one" },
  { reloadDocument: true },
  { discover: "none" },
  { relative: "path" },
  { viewTransition: true },
  { replace: true, preventScrollReset: true },
] as const)("so is one with %o", (props) => {
  const ours = attributesOf(render(<Link to="/essays" {...props} />));
  expect(ours).toEqual(attributesOf(render(<RouterLink to="/essays" {...props} />)));
});

it.each(["/essays", "https://example.org/a"])("so is one that looks like a button: %s", (to) => {
  const ours = attributesOf(render(<ButtonLink to={to} />));
  const router = attributesOf(render(<RouterLink to={to} />));
  expect(ours).toEqual(expect.arrayContaining(router));
  expect(ours).toEqual([
    expect.stringMatching(/^class=/),
    ...router,
    ...(to.startsWith("/") ? [] : ['rel="noopener"']),
  ]);
});

it.each(["/", "/essays", "/essays/one", "/Essays/", "/essays-and-more", "/podcast"])(
  "a link knows whether its page is the current one: %s",
  (at) => {
    for (const to of ["/", "/essays"]) {
      for (const end of [true, false]) {
        const isCurrent = (html: string) => html.includes('aria-current="page"');
        expect([to, end, isCurrent(render(<NavLink to={to} end={end} />, at))]).toEqual([
          to,
          end,
          isCurrent(render(<RouterNavLink to={to} end={end} />, at)),
        ]);
      }
    }
  },
);
