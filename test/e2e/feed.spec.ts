import { site, test } from "./support/demo.ts";
import { testFeeds } from "./support/feed-tests.ts";

testFeeds(test, () => site.url);
