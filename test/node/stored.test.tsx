import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import { expect, it } from "vitest";
import { openStore } from "#site/document/stored.server.tsx";
import { StoredContext } from "#site/document/stored.tsx";
import { Footer } from "#site/shell/footer.tsx";
import { Header } from "#site/shell/header.tsx";
import type { Chrome } from "#site/shell/chrome.ts";

const switches = new Proxy({}, { get: () => true, ownKeys: () => [] }) as Chrome["switches"];
const siteOf = (name: string): Chrome => ({
  name,
  description: "Talks & essays",
  social: { x: "https://x.com/someone" },
  apps: [{ label: "Apple Podcasts", href: "https://example.com/?a=1&b=2" }],
  switches,
});

type Options = { name: string; at: string; store?: ReturnType<typeof openStore> };

function render({ name, at, store }: Options) {
  const html = renderToString(
    <StaticRouter location={at}>
      <StoredContext value={store?.find}>
        <Header site={siteOf(name)} />
        <Footer site={siteOf(name)} year="2026">
          children
        </Footer>
      </StoredContext>
    </StaticRouter>,
  );
  store?.fill();
  return html;
}

const contents = ["/", "/podcast", "/essays/one", "/search", "/nothing"].flatMap((at) =>
  ["First & <b>", "Second"].map((name) => ({ name, at })),
);

it.each(contents)("a part from the store is what a render writes: %o", ({ name, at }) => {
  const [plain, first, second] = [undefined, openStore(), openStore()].map((store) =>
    render({ name, at, store }),
  );
  expect(first).toBe(plain);
  expect(second).toBe(plain);
});

it("a store has nothing to render once its parts are stored", () => {
  const at = "/about";
  render({ name: "Third", at, store: openStore() });
  const found: (string | undefined)[] = [];
  const { find, fill } = openStore();
  const store = { fill, find: (part: Parameters<typeof find>[0]) => found[found.push(find(part)) - 1] };
  render({ name: "Third", at, store });
  expect(found).toHaveLength(3);
  expect(found.every((html) => html?.startsWith("<"))).toBe(true);
});
