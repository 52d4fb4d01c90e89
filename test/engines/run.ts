import { after, before, describe, it } from "node:test";
import { setUpOwner } from "../e2e/support/set-up.ts";
import { startSite, type Site } from "../e2e/support/site.ts";
import type { Browser } from "./browser.ts";
import { engines } from "./engines.ts";
import { journeys, type Episode } from "./journeys.ts";
import { openPage } from "./page.ts";
import { startSound } from "./sound.ts";

let site: Site;
let episodes: Episode[];
let sound: Awaited<ReturnType<typeof startSound>>;

before(async () => {
  sound = await startSound();
  site = await startSite();
  const answer = await fetch(`${site.url}/api/episodes`);
  ({ items: episodes } = (await answer.json()) as { items: Episode[] });
  await setUpOwner(site);
});
after(async () => {
  await site?.stop();
  await sound?.stop();
});

const asked = process.argv.slice(2);
const isAsked = ({ name }: { name: string }) => asked.length === 0 || asked.includes(name.toLowerCase());

for (const { name: engine, missing, start } of engines.filter(isAsked)) {
  const packages = missing();
  describe(engine, { skip: packages !== null && `install ${packages}` }, () => {
    let browser: Browser;
    before(async () => {
      browser = await start(sound.env);
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
