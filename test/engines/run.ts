import { after, before, describe, it } from "node:test";
import { startSite, type Site } from "../e2e/support/site.ts";
import type { Browser } from "./browser.ts";
import { engines } from "./engines.ts";
import { journeys, type Episode } from "./journeys.ts";
import { openPage } from "./page.ts";

let site: Site;
let episodes: Episode[];

before(async () => {
  site = await startSite();
  const answer = await fetch(`${site.url}/api/episodes`);
  ({ items: episodes } = (await answer.json()) as { items: Episode[] });
});
after(() => site?.stop());

for (const { name: engine, missing, start } of engines) {
  const packages = missing();
  describe(engine, { skip: packages !== null && `install ${packages}` }, () => {
    let browser: Browser;
    before(async () => {
      browser = await start();
    });
    after(() => browser?.close());
    for (const [name, journey] of Object.entries(journeys))
      it(name, async () => {
        const page = openPage(await browser.newTab(), site.url);
        try {
          await journey({ page, site, episodes, engine });
        } finally {
          await page.close();
        }
      });
  });
}
