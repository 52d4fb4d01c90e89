import { expect } from "@playwright/test";
import { licencesText, shippedPackages } from "../../scripts/licences.ts";
import { site, test } from "./support/demo.ts";

test("the licences of all shipped packages are served as text @full", async ({ request }) => {
  const answer = await request.get(`${site.url}/licenses.txt`);
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  expect(await answer.text()).toBe(licencesText(shippedPackages()));
});
