/** What each figure counts, one press away from it. */
export const definitions = {
  views: {
    title: "Total Views",
    text: "How often pages of the site were opened, by everybody together. Robots, whoever is signed in here, and browsers that ask not to be tracked are not counted. The trend compares with as many days before; today is counted as far as it has gone.",
  },
  visitors: {
    title: "Unique Visitors",
    text: "Different visitors of each day, added up. Nobody is known from one day to the next, so who comes on two days is counted twice.",
  },
  readingSeconds: {
    title: "Avg Reading Time",
    text: "Seconds that a page was visible, divided by the visits in which that was measured. A visit is one visitor, one page and one day.",
  },
  engagement: {
    title: "Engagement Score",
    text: "The part of all visits with a sign of attention: half of the page scrolled, 30 seconds on it, a play, a share, or a sign-up.",
  },
  content: {
    title: "Top Performing Content",
    text: "The ten articles, episodes and pages with the most views. An engagement of more than 70% stands out.",
  },
  days: {
    title: "Day by day",
    text: "Each day of UTC, from midnight to midnight there. Visitors are different people of that day; downloads follow IAB v2.3.",
  },
  sources: {
    title: "Sources",
    text: "Views that came from elsewhere, by the site that linked here. “Direct” are those whose browser named none: bookmarks, typed addresses, apps and mails. Beyond 200 sites a day the rest is “Other sites”.",
  },
  reading: {
    title: "Reading",
    text: "Visits that got so far down a page, or stayed so long. Who scrolled 90% is in the three lines above it, too.",
  },
  listening: {
    title: "Listening on the site",
    text: "Visits in which the player of this site was started, or came to an episode’s end. What podcast apps play is not known here; see Downloads.",
  },
  signups: {
    title: "Sign-ups",
    text: "Visits with a newsletter sign-up, by the form that it came from. Whether the address was confirmed later is not part of it.",
  },
  sharing: {
    title: "Shares and more",
    text: "Visits in which something was done with a page or an episode, each kind once a visit.",
  },
  downloads: {
    title: "Downloads",
    text: "Follows IAB v2.3: a listener, an episode and a day are one download, from the moment that a minute of audio was requested. Robots, data centres and requests without content are left out. Whether it was heard is not known.",
  },
  apps: {
    title: "Apps",
    text: "By how the app or browser names itself. Some name themselves so that they cannot be told apart.",
  },
  devices: { title: "Devices", text: "As far as the app or browser tells." },
  countries: {
    title: "Countries",
    text: "Of the network that asked, which Cloudflare knows. The address itself is not kept.",
  },
  letters: {
    title: "Letters",
    text: "Letters whose sending began in the period. Whether a letter was opened is not tracked.",
  },
  sinceDay: {
    title: "Downloads since publication",
    text: "Downloads of each day, counted from the day of publication, which is day 0. The median is the middle one of the 20 newest other episodes that are as old: half of them had more on that day. Days before the first count are n/a, and part of no median.",
  },
  stops: {
    title: "Where people stop",
    text: "From this site’s own player: where each listener was last on a day, in steps of 30 seconds. What podcast apps play is not known.",
  },
  total: {
    title: "Downloads",
    text: "All downloads since publication. Follows IAB v2.3: a listener, an episode and a day are one download.",
  },
  plays: {
    title: "Plays here",
    text: "Visits in which this site’s own player was started with the episode. Apps are not part of it.",
  },
  completions: {
    title: "Completions here",
    text: "Visits in which this site’s own player came to the episode’s end.",
  },
} as const satisfies Record<string, { title: string; text: string }>;

export type DefinedFigure = keyof typeof definitions;
