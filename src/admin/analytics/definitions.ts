/** What each figure counts, one press away from it. */
export const definitions = {
  views: {
    title: "Total Views",
    text: "How often pages of the site were opened, by all visitors. Robots, signed-in users, and browsers that ask not to be tracked aren’t counted. The trend compares with the same number of days before. Today is counted so far.",
  },
  visitors: {
    title: "Unique Visitors",
    text: "Different visitors each day, added up. Visitors aren’t recognised from one day to the next, so someone who visits on two days is counted twice.",
  },
  readingSeconds: {
    title: "Avg Reading Time",
    text: "Average number of seconds a page was visible, over the visits where it was measured. A visit is one visitor, one page and one day.",
  },
  engagement: {
    title: "Engagement Score",
    text: "The share of visits with a sign of attention: half the page scrolled, 30 seconds on it, a play, a share, or a sign-up.",
  },
  content: {
    title: "Top Performing Content",
    text: "The ten articles, episodes and pages with the most views. Engagement above 70% is highlighted.",
  },
  days: {
    title: "Day by day",
    text: "Days run from midnight to midnight in the site’s time zone, and have 23 or 25 hours when clocks change. Today’s line is dashed because today isn’t over.",
  },
  sources: {
    title: "Sources",
    text: "Views that came from another site, by the site that linked here. “Direct” means the browser didn’t name one: bookmarks, typed addresses, apps and emails. Beyond 200 sites a day, the rest are grouped as “Other sites”.",
  },
  reading: {
    title: "Reading",
    text: "Visits that got this far down a page, or stayed this long. A visit that scrolled 90% counts in the three lines above as well.",
  },
  listening: {
    title: "Listening on the site",
    text: "Visits that started this site’s player, or reached an episode’s end in it. Plays in podcast apps aren’t known here; see Downloads.",
  },
  signups: {
    title: "Sign-ups",
    text: "Visits with a newsletter sign-up, by the form used. It doesn’t show whether the address was confirmed later.",
  },
  sharing: {
    title: "Shares and more",
    text: "Visits with an action on a page or an episode, each kind counted once per visit.",
  },
  downloads: {
    title: "Downloads",
    text: "Follows IAB v2.3: one listener, one episode and one UTC day make one download, once a minute of audio was requested. Charts show it on the day in the site’s time zone. Robots, data centres and requests without content are left out. A download doesn’t show whether the episode was heard.",
  },
  downloadsBy: {
    title: "Downloads by episode and app",
    text: "The period’s downloads, as on the first card.",
  },
  apps: {
    title: "Apps",
    text: "By the name the app or browser gives. Some give names that can’t be told apart.",
  },
  devices: { title: "Devices", text: "The kind of device, as the app or browser names it." },
  countries: {
    title: "Countries",
    text: "The country of the listener’s network, as Cloudflare knows it. The IP address isn’t stored.",
  },
  letters: {
    title: "Letters",
    text: "Letters that started sending in this period. Opens aren’t tracked.",
  },
  sinceDay: {
    title: "Downloads since publication",
    text: "Downloads of each day since publication, which is day 0. The median is the middle value of the 20 newest other episodes of the same age: half of them had more on that day. Days before counting began show n/a and aren’t part of the median.",
  },
  stops: {
    title: "Where people stop",
    text: "From this site’s own player: the last position of each listener on a day, in steps of 30 seconds. Podcast apps aren’t included.",
  },
  total: {
    title: "Downloads",
    text: "All downloads since publication. Follows IAB v2.3: one listener, one episode and one UTC day make one download.",
  },
  plays: {
    title: "Plays here",
    text: "Visits that started the episode in this site’s own player. Podcast apps aren’t included.",
  },
  completions: {
    title: "Completions here",
    text: "Visits that reached the episode’s end in this site’s own player.",
  },
} as const satisfies Record<string, { title: string; text: string }>;

export type DefinedFigure = keyof typeof definitions;
