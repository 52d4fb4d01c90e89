import type { PageInput } from "#worker/pages/contract.ts";

/**
 * The two default legal texts, which describe the product as shipped. A change of the data that it stores, or of where
 * it sends data, needs a change of the privacy policy. They are a careful start, not legal advice.
 */

export const privacyPolicy: PageInput<"privacy-policy"> = {
  headline: "Privacy Policy",
  standfirst:
    "You can read, watch and listen here without an account and without being followed. This page says what is stored about you, why, where, and how to have it corrected or deleted.",
  since: "2026-11-28",
  body: {
    markdown: `
## Who this is from

“We” are the publisher of this site, who is named at the top of this page. We follow the Australian Privacy Principles in the *Privacy Act 1988* (Cth), whether or not the Act applies to a publisher of our size.

## In short

- There are no advertisements and no advertising networks on this site, and no third-party trackers unless a section at the end of this page names them.
- You need no account. What you save is stored under a random identifier that your own browser made.
- We have your email address only if you give it to us, and we send the newsletter only to confirmed addresses.
- We don’t sell personal information, and we don’t lend it.

## What your browser keeps

Some things are stored in your browser’s local storage, on your device. They are not cookies, and only this site can read them.

- \`theme\`: whether you chose the light or the dark look.
- \`user_id\`: a random identifier that your browser makes for playlists, favourites and the place where you stopped listening. It is not linked to your name or to your email address. It is sent to us when you use those features; our database keeps only a hash of it, a fingerprint that cannot be turned back into the identifier.
- \`player\`: the episodes in the player, your position, the volume, the speed and other settings, so that you can continue later. It is not sent to us.
- \`progress\`: how far you have listened in up to 50 episodes, until your browser can send it to us.
- \`progressAnswer\`: how far you have listened in up to 1,000 episodes, so that you can continue without a connection.
- \`newsletterSubscribed\`, \`exitIntentShown\` and \`exitIntentDismissedToday\`: so that you are not asked again to subscribe.

Until you close the tab, it also remembers how far you scrolled on each page; what you typed into a form that isn’t sent yet, in case the connection is lost; and, as \`analytics\`, a random name for this visit with the pages it has seen, so that no page is counted twice.

So that the site opens without a connection, your browser also keeps copies of the last 50 pages that you visited, and of the episodes that you choose to keep. Private pages are not among them. “Offline storage” in the player shows these copies and can remove them.

Clearing this site’s data in your browser removes all of this. Without the identifier, no one, including us, can connect its playlists to you. If you want them deleted immediately, ask us first. Otherwise they are deleted 400 days after their last use. Only people who sign in to run this site get a cookie.

## What we count

To know what is read and heard, we do our own counting, in our own database:

- which pages are viewed, which other site a visitor came from, how long a page was visible and how far it was scrolled;
- what was played, where it was paused and finished, and which episodes were downloaded, with totals by app, kind of device and country;
- that something was shared, copied, saved, commented on, searched for or subscribed to, and which of our networks was followed. What you searched for or typed is not counted.

To count each person once, we turn your internet address and the name of your browser or app into a hash with a random value. That value changes every day and is then deleted; after that the hash cannot be traced back, and no one is recognised from one day to the next. We don’t keep your internet address with what you read or heard. Single events are deleted after some time, usually 90 days; their totals stay. If your browser sends Do Not Track or Global Privacy Control, none of what you do on these pages is counted or stored in your browser for it. Opening a newsletter is not tracked. [How we count](/how-we-count) has the rules.

To prevent abuse of forms and sign-ins, we also count requests by internet address and emails by recipient for an hour, and failed sign-ins for a day. Those addresses are stored as hashes.

## What you give us

- **Newsletter.** Your email address, when you signed up, where on the site, the words you agreed to, when you confirmed, and the topics you chose. We first send one email with a link, and nothing else unless you follow it. Each issue has a link to unsubscribe immediately, pause the letters for 30 days, or delete all your data. If you answer a question in an issue, your answer is stored until the question is closed; after that only the totals are kept. After you unsubscribe, we keep this information only to make sure that we send you nothing.
- **Guest applications.** Your name, email address, LinkedIn profile, topic and position.
- **Messages and speaking requests.** Your name, email address and what you write, and for a request the details of the event.
- **Comments**, where they are open. Your name, your email address and what you write. We first send one email with a link; until you use it, we don’t read the comment. Once we approve it, your name and comment are public. Your address never is. The same link deletes the comment at any time.
- **How we handle these.** When it arrived, its status, our notes and our answers. A program compares the text with a list of words and counts its links. What looks like spam or looks automated is set aside, where we can still read it, and we ask you by email to confirm a message, application or request of that kind. Talks that we agree on are in our calendar with your name, your address and what you wrote about the event. Guests are named with their episode.
- **Recordings.** If you are a guest, your voice, and your picture where there is video, are recorded and published as agreed with you beforehand.

We use each only for its purpose: to send the newsletter, to answer you, to show your comment, to prepare a conversation. You may write under a pseudonym where we don’t need your name. Please leave out health details and other sensitive information about yourself or others; we don’t need them.

## Who else handles it

This site and its database run on **Cloudflare**, which as our provider carries every request and stores what is described above. Cloudflare runs data centres in Australia and in many other countries, the United States among them, so information may be stored or handled outside Australia. Emails are sent through an email provider that works on our instructions. Both may use what passes through them only to provide their service to us.

Where a form uses **Cloudflare Turnstile** to check for robots, your browser loads Turnstile from Cloudflare when you start to fill in the form, and sends it your internet address and technical details of the browser. It is used only for this check. Where it is blocked or does not load, you can still send the form and confirm it by email.

No one else gets your information, unless you ask us to pass it on, or the law requires it.

## Other people’s pages

Petitions and campaigns are shown in a frame from the organisation that runs them, and only on the petitions page. Links lead to video, podcast and social networks, and to a payment service if you support the show. What you do there is between you and them, and their privacy policies apply. None of them is loaded on any other page of this site.

## How long we keep it

Where a number of days is given below, deletion is automatic, usually the following night.

- A newsletter sign-up that is never confirmed: 30 days after you last asked for it.
- A confirmed newsletter address: as long as you are subscribed. If an address unsubscribes, bounces or marks letters as spam, we keep it, to make sure that we send it nothing, until you ask us to delete it.
- Emails that this site sent, and requests for one: 30 days after they were handled.
- Applications, messages and requests: 24 months after they arrived, with our notes and answers. If set aside as spam: 30 days. If never confirmed by email: 8 days.
- Comments: as long as they are shown, or until you delete them. If not shown: 12 months after they arrived. If set aside as spam: 30 days. If never confirmed: 7 days. When you delete yours, other people’s answers stay, without your comment and name.
- Talks in our calendar and guests of episodes: until we remove them, or you ask us to remove your address.
- Playlists, favourites and your place in episodes: until you delete them or ask us to, and no longer than 400 days after your browser last asked for them.
- Counters against abuse: an hour, or a day for failed sign-ins, and then until the next night.
- Sign-ins to the admin area: a session ends 14 days after its last use and 60 days after its start at the latest. The log of account activity, with internet address and browser, is kept for 365 days; those of failed sign-ins, requests for a new password and refused requests, for 30 days. An internet address used to sign in is remembered as a hash for 60 days.
- Counts: as totals, without anything that points to you.

## Keeping it safe

Connections to this site are encrypted. Identifiers and sign-in tokens are stored as hashes, and only people who need to may read what you send us. No system is perfect. If there is a breach that is likely to do serious harm, we tell the people concerned and the Australian Information Commissioner.

## Your rights

You may ask what we hold about you, have it corrected, or have it deleted. You may withdraw your consent at any time. You can delete your subscription and your comments yourself, with the links in our emails. For anything else, write to us; we may need to check that it is you. We find your data by your email address, and give it to you as a file or delete all of it. We answer within 30 days, and it costs nothing. If we refuse, we say why.

## Complaints

If you think that we have handled your information wrongly, please write to us first; we answer within 30 days. If that doesn’t settle it, you can complain to the [Office of the Australian Information Commissioner](https://www.oaic.gov.au/privacy/privacy-complaints) (telephone 1300 363 992). For unwanted commercial email, the [Australian Communications and Media Authority](https://www.acma.gov.au/stop-getting-spam) is responsible.

## Children

This site is written for adults. We don’t knowingly collect information from anyone under 16 without the agreement of a parent or guardian.

## Changes

When what we keep changes, this page changes first, and the date at the top with it. If a change matters to people whose address we have, we write to them.
`.trim(),
  },
};

export const termsOfService: PageInput<"terms-of-service"> = {
  headline: "Terms of Service",
  standfirst:
    "The few rules for using this site, in plain words. Reading or listening here means that you agree to them; if you don’t, please don’t use it.",
  since: "2026-11-21",
  body: {
    markdown: `
## Who this is between

These terms are between you and the publisher of this site, who is named at the top of this page (“we”).

## What you may do

- Read, watch and listen for yourself, without an account and free of charge.
- Subscribe with any podcast app or feed reader. Apps may keep copies of episodes for their listeners.
- Quote short passages with the author’s or the show’s name and a link, and share any page.
- Use the cover art and the texts on the media kit page as that page says.

For anything more, such as reprinting an essay, translating it, or using more than a minute of audio, please ask us first. The texts, recordings and pictures belong to us or to those who made them, and copyright stays with them. Nothing here takes away what the *Copyright Act 1968* (Cth) allows you in any case.

## What you may not do

Please don’t break the site or access what isn’t yours, pretend to be someone else, send unsolicited advertising through the forms, sign other people up without their agreement, or use the site for anything unlawful. We may limit or refuse access to keep it running.

## What this is, and what it isn’t

Episodes and essays are information and opinion about public matters, health and housing among them. They are **not medical, legal, financial or other professional advice**. Before you act on something that concerns your own health, home or money, talk to someone who knows your situation. In an emergency in Australia call **000**.

What a guest says is the guest’s own view. We take care to be accurate, and we correct mistakes: tell us when you find one.

## Playlists and what is kept in your browser

Playlists, favourites and your place in an episode depend on an identifier in your browser, so you lose them when you clear its data or change devices. Anyone can see a playlist that you make public: don’t put anything private in its name or its description.

## The newsletter

We send it only to confirmed addresses, and each issue says how to unsubscribe. We may change how often we send it, or end it.

## Applying to be a guest, and writing to us

What you send us stays yours. You allow us to read it, keep it and use it to answer you and to prepare a conversation. An application doesn’t guarantee a place on the show. What is recorded and published is agreed with each guest before the recording, and edited for length and clarity without changing its sense.

A request for a speaking engagement is a request. An engagement is agreed when both sides have confirmed it in writing.

## Supporting the show

Contributions go through a separate payment service, under its terms. Each tier lists what it includes. You can end a contribution there at any time. Contributions are not donations to a charity and are not tax-deductible.

## Links and frames

Petitions and campaigns are run by the organisations named there, and many links lead to other people’s pages. We choose them with care, and we are not responsible for what they show or do.

## What we promise, and what we can’t

We work to keep the site available and correct, and can’t promise that it always is. We may change it or take parts of it down.

Nothing in these terms excludes, restricts or changes any right or remedy that you have under the **Australian Consumer Law** or any other law that cannot be excluded by agreement. Beyond that, and as far as the law allows, we are not liable for loss that comes from using this site or from not being able to use it. Where our liability cannot be excluded but can be limited, it is limited to supplying the service again or to the cost of having it supplied again.

## The law that applies

The law of the Australian state or territory in which the publisher lives applies, together with the laws of the Commonwealth, and its courts decide. If you live elsewhere, you keep the protection of those laws of your home that no agreement can take away.

## Changes

We may change these terms for the future. The date at the top shows when they took effect. If one part turns out to be invalid, the rest still applies.
`.trim(),
  },
};
