import type { PageInput, PageSlug } from "#worker/pages/contract.ts";
import { privacyPolicy, termsOfService } from "#worker/pages/legal.ts";

/** The default content of each page, which must be true for every owner of such a site. */
export const pageDefaults: { [Slug in PageSlug]: PageInput<Slug> } = {
  home: {
    headline: "",
    standfirst: "",
    lead: "episode",
    buildingTitle: "What I’m Building",
    building: [],
    principlesTitle: "Principles I Lead By",
    principles: [],
    guestTitle: "Be a Guest",
    guestText:
      "You do work that other people talk about. Come and tell us how it’s done, in your own words and without a script.",
    credentialsTitle: "Credentials and Recognition",
    credentials: [],
    enquiryTitle: "Something to ask, propose or correct?",
    enquiryText:
      "Speaking, a partnership, an interview, or a fact that I have got wrong: it is read by a person.",
  },
  about: {
    headline: "Why I Lead",
    standfirst: "Three arenas, one question in each of them: who does this decision land on?",
    arenas: [
      { title: "Politics", text: "Where the rules are made, and where someone has to answer for them." },
      { title: "Business", text: "Where an idea has to pay its own way, and its people." },
      {
        title: "Social Enterprise",
        text: "Where the two meet: earning a living from leaving things better.",
      },
    ],
    body: { markdown: "" },
    quote: { text: "", source: "" },
    pillarsTitle: "The 3 Es",
    pillarsLink: "What the three words ask",
    timelineTitle: "How I got here",
    timeline: [],
  },
  mission: {
    headline: "What this is for",
    standfirst: "To hear how decisions are made, to write down what works, and to build some of it.",
    statement: { markdown: "" },
    pillarsTitle: "The 3 Es",
    pillarsLink: "Read the three at length",
  },
  "three-es": {
    headline: "The 3 Es",
    standfirst: "Three words to hold a decision against before it is made, and again afterwards.",
    pillars: [
      {
        title: "Empathy",
        text: "Know who it lands on.",
        body: { markdown: "Every decision lands on someone. Find out who, and ask them, before it does." },
      },
      {
        title: "Evidence",
        text: "Know whether it works.",
        body: {
          markdown: "Say beforehand what you would need to see. Then look, and publish what you find.",
        },
      },
      {
        title: "Enterprise",
        text: "Make something of it.",
        body: { markdown: "An idea counts when someone has built it and someone else can use it." },
      },
    ],
    missionKicker: "What they are for",
    missionLink: "The mission",
    contactKicker: "Agree, or not?",
    contactLink: "Get in touch",
  },
  "media-kit": {
    headline: "Media Kit",
    standfirst: "Figures, pictures and words for anyone who introduces, quotes or lists the show.",
    shortBio: "",
    longBio: { markdown: "" },
    credit: {
      markdown:
        "Please name the show and its host, and link to this site. Cover art may be used unchanged to introduce, review or list the show. Short quotations are welcome with a link to the episode; ask before you use more than a minute of audio.",
    },
    requestTitle: "Ask for more",
    requestText:
      "Interviews, other pictures, audio clips and permissions: say what you are making and when you need it.",
    showsMeasured: false,
  },
  speaking: {
    headline: "Speaking",
    standfirst: "Keynotes, panels and conversations for rooms that have a decision in front of them.",
    topicsTitle: "Topics",
    topics: [
      { title: "How decisions get made", text: "Who is in the room, what is on the paper, and who waits." },
      {
        title: "From idea to enterprise",
        text: "What it takes to build something that outlives its founder.",
      },
      {
        title: "Health, housing and policy",
        text: "Where the three meet, and what can be done close to home.",
      },
    ],
    invitation: "There is room for another",
    emptyTitle: "Nothing in the diary yet",
    emptyText: "Public dates are listed here once they’re set. Yours could be the first.",
  },
  guest: {
    headline: "Be a Guest",
    standfirst: "You do the work that others talk about. Come and tell us how it’s done.",
    stepsTitle: "What happens",
    steps: [
      { title: "You write", text: "Who you are, what you would talk about, and where you stand on it." },
      { title: "We read it", text: "Every application is read by a person, and every one is answered." },
      {
        title: "We talk beforehand",
        text: "Twenty minutes on the phone, to find what is worth an hour.",
      },
      {
        title: "We record",
        text: "One unscripted conversation, in person or online. You need headphones and a quiet room.",
      },
    ],
    bodyTitle: "Who we look for",
    body: {
      markdown:
        "Titles don’t matter. What matters is that you’ve done the work, that you can say what went wrong, and that a listener could use what you learnt.",
    },
  },
  contact: {
    headline: "Contact",
    standfirst: "One address, read by a person. Say what it’s about and it gets answered sooner.",
    kinds: [
      {
        type: "speaking",
        title: "Speaking",
        text: "A keynote, a panel, a workshop or a conversation on a stage.",
      },
      {
        type: "partnerships",
        title: "Partnerships",
        text: "Something to build, to fund or to try out together.",
      },
      { type: "media", title: "Media", text: "Interviews, comment and background. Say when you need it." },
      {
        type: "general",
        title: "General",
        text: "Anything else: a correction, a disagreement, a good story.",
      },
    ],
  },
  booking: {
    headline: "Put a real question on your program",
    standfirst:
      "Tell us about the event and the people who will be in the room. Every request is read and answered.",
    points: [
      { title: "The event", text: "What it’s called, who holds it, and when, if that’s set." },
      { title: "The kind", text: "A keynote, a panel, a workshop, a fireside conversation, or moderating." },
      { title: "The room", text: "Who comes, how many, and what they will decide afterwards." },
      {
        title: "The honorarium",
        text: "Paid, expenses only, pro bono, or to be discussed. Each may be right.",
      },
    ],
  },
  "privacy-policy": privacyPolicy,
  "terms-of-service": termsOfService,
};
