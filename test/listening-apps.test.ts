import { expect, it, test } from "vitest";
import { appOf, deviceOf, isRobot } from "#worker/analytics/agents.ts";
import { apps } from "#worker/analytics/apps.ts";
import { BROWSER } from "./support/analytics.ts";

/** User agents that were seen in the wild, most of them examples of github.com/opawg/user-agents-v2. */

const none = { apps: [] };

test.each([
  ["Podcasts/1410.53 CFNetwork/1111 Darwin/19.0.0 (x86_64)", "Apple Podcasts"],
  ["Podcaster/1709.2.2 CFNetwork/1390 Darwin/22.0.0", "Apple Podcasts"],
  ["Balados/1660.5 CFNetwork/1335.0.3 Darwin/21.6.0", "Apple Podcasts"],
  ["%E6%92%AD%E5%AE%A2/1660.5 CFNetwork/1335.0.3 Darwin/21.6.0", "Apple Podcasts"],
  [
    "%D0%9F%D0%BE%D0%B4%D0%BA%D0%B0%D1%81%D1%82%D1%8B/1410.25.1 CFNetwork/1107.1 Darwin/19.0.0",
    "Apple Podcasts",
  ],
  ["AppleCoreMedia/1.0.0.20A362 (iPhone; U; CPU OS 16_0 like Mac OS X; en_us)", "Apple, unknown app"],
  ["Overcast/3.0 (+http://overcast.fm/; iOS podcast app)", "Overcast"],
  ["Overcast ( http://overcast.fm/; Apple Watch podcast app)", "Overcast"],
  ["Pocket Casts", "Pocket Casts"],
  ["Shifty Jelly Pocket Casts, iOS v4.2", "Pocket Casts"],
  ["PodcastAddict/v5 ( https://podcastaddict.com/; Android podcast app)", "Podcast Addict"],
  ["Podcast Addict - Dalvik/2.1.0 (Linux; U; Android 9; SM-G960F Build/PPR1.180610.011)", "Podcast Addict"],
  ["de.danoeh.antennapod/1.7.3b (Linux;Android 8.0.0) ExoPlayerLib/2.9.3", "AntennaPod"],
  ["AntennaPod/3.5.0", "AntennaPod"],
  ["Castamatic/5.1.4 (com.gunpmedia.Castamatic; build:3136; iOS 13.1.3) Alamofire/4.9.0", "Castamatic"],
  ["Player%20FM/588 CFNetwork/1121.2.2 Darwin/19.2.0", "Player FM"],
  ["Podbean/Android App 7.6.4 (http://podbean.com),1927526fe23b5acf535b3e91b64cee95", "Podbean"],
  ["Podverse/Android Mobile App", "Podverse"],
  [
    "Podverse/iOS Mobile App/Mozilla/5.0 (iPhone; CPU iPhone OS 13_6_1 like Mac OS X) Mobile/1234",
    "Podverse",
  ],
  ["PodcastRepublic/18.0 (Linux; U; Android 10;blueline/QP1A.190711.020.C3)", "Podcast Republic"],
  ["AmazonMusic/16.17.0 Dalvik/2.1.0 (Linux; U; Android 6.0.1; vivo 1610 Build/MMB29M)", "Amazon Music"],
  ["Harley/3.12.0.78 A1CTGXB4BA274T/9.4.0.2386", "Amazon Music"],
  ["AlexaMediaPlayer/vizzini.locked.38.0 (Linux;Android 5.1.1) ExoPlayerLib/1.5.9", "Alexa"],
  ["Echo/1.0(APNG)", "Alexa"],
  ["Anghami Android 6.1.157 / V 11 (6011570) Google store", "Anghami"],
  ["BBC%20Sounds/1.13.1.7716 CFNetwork/1107.1 Darwin/19.0.0", "BBC Sounds"],
  ["Bullhorn/1.0 (+http://bullhorn.fm/)", "Bullhorn"],
  ["Outcast 3.1.6", "Outcast"],
  ["Newsboat/2.29.0 (Linux x86_64)", "Newsboat"],
  ["NPR%20One/234 CFNetwork/1197 Darwin/20.0.0", "NPR"],
  ["Podimo/1.11.3 build 121/iOS 13.3", "Podimo"],
  ["radio.de/5.10.5.3 (Linux; Android 13; de_DE) ExoPlayerLib/2.18.2", "radio.de"],
  ["RadioPublic/android-2.2", "RadioPublic"],
  ["Kodi/15.2 (Linux; Android 5.1; QM152E Build/LMY47D) Android/5.1.0", "Kodi"],
  [BROWSER, "Chrome"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox"],
  [
    "Podfriend/1.0 Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/83.0.4103.122 Electron/9.2.0",
    "Podfriend",
  ],
])("%s is %s, and no robot", (userAgent, app) => {
  expect(appOf(userAgent, none)).toBe(app);
  expect(isRobot(userAgent, none)).toBe(false);
});

test.each([
  // Apps' own servers, which begin as the apps do.
  "Overcast/1.0 Podcast Sync (123 subscribers; feed-id=1; +http://overcast.fm/)",
  "PlayerFM/1.0 Podcast Sync (98 subscribers; url=https://player.fm/)",
  "Podverse/Feed Parser",
  "Metacast/1.0 Crawler +https://metacast.app",
  "BullhornCrawler/unknown-version(+http://bullhorn.fm/)",
  "Podbean Importer",
  "Deezer Podcasters/1.0",
  "Amazon Music Podcast",
  "Spotify/1.0",
  "SoundOn/1.0 (bot; https://soundon.fm)",
  "RSSRadio (Push Notification Scanner;support@dorada.co.uk)",
  "Podchaser-Parser",
  // Others.
  "ListenNotes/3.0 (id=c1ef144e30174bf6ba1fedf9174ed908; +https://www.listennotes.com/about/)",
  "AIS VirtualListener",
  "Adswizz-podscribe/1.0",
  "Libsyn4-Download",
  "Castopod/1.1.2",
  "IPFS Podcasting Node/0.6n (+https://ipfspodcasting.net)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "facebookexternalhit/1.1 ( http://www.facebook.com/externalhit_uatext.php)",
  "curl/8.0",
  "python-requests/2.31.0",
])("%s is a robot", (userAgent) => {
  expect(isRobot(userAgent, none)).toBe(true);
});

test.each([
  ["Overcast ( http://overcast.fm/; Apple Watch podcast app)", "Watch"],
  ["AlexaMediaPlayer/vizzini.locked.38.0 (Linux;Android 5.1.1) ExoPlayerLib/1.5.9", "Speaker"],
  ["AppleCoreMedia/1.0.0.20A362 (Apple TV; U; CPU OS 16_0 like Mac OS X; en_us)", "Television"],
  ["AmazonMusic/22.13.3 iPad7,3 CFNetwork/1335.0.3 Darwin/21.6.0", "Tablet"],
  ["PodcastAddict/v2 - Dalvik/2.1.0 (Linux; U; Android 9; SM-N950U Build/PPR1.180610.011)", "Phone"],
  ["AppleCoreMedia/1.0.0.20A362 (iPhone; U; CPU OS 16_0 like Mac OS X; en_us)", "Phone"],
  ["Newsboat/2.29.0 (Linux x86_64)", "Computer"],
  [BROWSER, "Computer"],
  ["Pocket Casts", "Unknown"],
])("%s is a %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it("lists each beginning once, for one app", () => {
  const beginnings = Object.values(apps)
    .flat()
    .map((text) => text.toLowerCase());
  expect(beginnings.filter((text, at) => beginnings.indexOf(text) !== at)).toEqual([]);
});

it("lets the owner's word stand above the lists", () => {
  const own = { apps: [{ name: "My App", startsWith: "Overcast/1.0 Podcast Sync" }] };
  expect(isRobot("Overcast/1.0 Podcast Sync (1 subscribers)", own)).toBe(false);
  expect(appOf("Overcast/1.0 Podcast Sync (1 subscribers)", own)).toBe("My App");
});
