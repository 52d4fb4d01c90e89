import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { doubtKey } from "../../src/admin/moving-in/subscribers/columns.ts";
import { knownExports } from "../../src/admin/moving-in/subscribers/known-exports.ts";
import { openList, statesIn, survey } from "../support/subscriber-lists.ts";

/**
 * Files in the formats of other programs' exports, each with that program's documentation of its people. The addresses
 * are named by state: `stays` gets letters there, `waits` has not confirmed, `left`, `bounced` and `spam` get none,
 * `doubt` is anyone about whom the file is not clear.
 */
type Export = {
  from: string;
  /** Where the columns and their meaning are documented. */
  source: string;
  lines: string[];
  name?: string;
  /** What separates the cells; a comma otherwise. */
  separator?: string;
  /** Whether the owner has to say that these people agreed, since no column does. */
  asks?: boolean;
};

const exports: Export[] = [
  {
    from: "Mailchimp, subscribed contacts",
    source: "https://mailchimp.com/help/view-export-contacts/",
    name: "subscribed_email_audience_export_3f9.csv",
    asks: true,
    lines: [
      "Email Address,First Name,Last Name,Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS",
      'stays@x.example,Ada,Oak,,2,2023-03-01 09:00:00,192.0.2.1,2023-03-01 09:05:00,192.0.2.1,,,1,2,Europe/Berlin,de,be,2024-01-01 10:00:00,1,a,,"""fair"""',
      "stays2@x.example,Ben,,,2,,,2023-04-01 09:05:00,192.0.2.2,,,,,,,,2024-01-01 10:00:00,2,b,,",
    ],
  },
  {
    from: "Mailchimp, unsubscribed contacts",
    source: "https://mailchimp.com/help/view-export-contacts/",
    name: "unsubscribed_email_audience_export_3f9.csv",
    lines: [
      "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LAST_CHANGED,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS",
      "left@x.example,Ada,2023-03-01 09:00:00,2023-03-01 09:05:00,2024-02-03 10:00:00,2024-02-03 10:00:00,January,a1,NORMAL (No longer interested),,1,a,,",
      "left2@x.example,Ben,2023-03-01 09:00:00,2023-03-01 09:05:00,2024-02-03 10:00:00,,,,,,2,b,,",
    ],
  },
  {
    from: "Mailchimp, cleaned contacts",
    source: "https://mailchimp.com/help/about-cleaned-contacts/",
    name: "cleaned_email_audience_export_3f9.csv",
    lines: [
      "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LAST_CHANGED,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID,NOTES,TAGS",
      "bounced@x.example,Ada,2023-03-01 09:00:00,2023-03-01 09:05:00,2024-02-03 10:00:00,2024-02-03 10:00:00,January,a1,1,a,,",
    ],
  },
  {
    from: "Mailchimp, contacts who never subscribed",
    source: "https://mailchimp.com/help/about-non-subscribed-contacts/",
    name: "nonsubscribed_email_audience_export_3f9.csv",
    lines: [
      "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LAST_CHANGED,LEID,EUID,NOTES,TAGS",
      "left@x.example,Ada,,2023-03-01 09:05:00,2024-02-03 10:00:00,1,a,,",
    ],
  },
  {
    from: "Substack, the list in the export's zip",
    source: "https://support.substack.com/hc/en-us/articles/360037829931",
    name: "email_list.oilandwick.csv",
    lines: [
      "email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at",
      "stays@x.example,false,,other,false,2024-03-01T10:00:00.000Z,",
      "stays.paid@x.example,true,2027-01-01T00:00:00.000Z,yearly,false,2024-03-01T10:00:00.000Z,2024-04-01T10:00:00.000Z",
      "stays.founding@x.example,true,2027-01-01T00:00:00.000Z,founding,false,2024-03-01T10:00:00.000Z,2024-04-01T10:00:00.000Z",
      "left@x.example,false,,other,true,2024-03-01T10:00:00.000Z,",
      "left.paid@x.example,true,,yearly,true,2024-03-01T10:00:00.000Z,",
    ],
  },
  {
    from: "Substack, the table of subscribers",
    source: "https://support.substack.com/hc/en-us/articles/360059655192",
    asks: true,
    lines: [
      "Email,Name,Stripe plan,Cancel date,Start date,Paid upgrade date,Emails received (6mo),Emails dropped (6mo),num_emails_opened,Subscription source (free),Type,Activity,Country,State/Province,Expiration date,Revenue",
      "stays@x.example,Ada,,,2024-03-01T10:00:00.000Z,,0,0,0,direct,Free,0,DE,Bayern,,0",
      "stays.paid@x.example,Ben,Monthly,,2024-03-01T10:00:00.000Z,2024-04-01T10:00:00.000Z,20,0,3,direct,Subscriber,4,DE,,,10",
      "stays.former@x.example,Cem,Monthly,2025-04-01T10:00:00.000Z,2024-03-01T10:00:00.000Z,2024-04-01T10:00:00.000Z,20,0,3,direct,Free,4,DE,,2025-05-01T10:00:00.000Z,10",
      "stays.author@x.example,Wren,,,2024-03-01T10:00:00.000Z,,20,0,3,direct,Author,5,DE,,,0",
      "stays.comp@x.example,Dag,,,2024-03-01T10:00:00.000Z,,20,0,3,direct,Comp,5,DE,,,0",
    ],
  },
  {
    from: "beehiiv, full export",
    source: "https://www.beehiiv.com/support/article/12234988536215",
    lines: [
      "email,First Name,status,tier,created_at,stripe_customer_id,Free Tier,unsubscribed_at,utm_source",
      "stays@x.example,Ada,active,free,2023-03-24 10:23:10 UTC,,Yes,,twitter",
      "stays.paid@x.example,Ada,active,premium,2023-03-24 10:23:10 UTC,cus_1,No,,",
      "left@x.example,Ben,active,premium,2023-04-11 14:02:46 UTC,cus_2,No,2024-03-13 11:33:53 UTC,",
      "left2@x.example,Cem,inactive,free,2023-04-11 14:02:46 UTC,,Yes,2024-03-13 11:33:53 UTC,",
      "waits@x.example,Dag,pending,free,2023-04-11 14:02:46 UTC,,Yes,,",
      "waits2@x.example,Eva,validating,free,2023-04-11 14:02:46 UTC,,Yes,,",
      "doubt@x.example,Fay,,free,2023-04-11 14:02:46 UTC,,Yes,,",
    ],
  },
  {
    from: "beehiiv, quick export",
    source: "https://www.beehiiv.com/support/article/12234988536215",
    lines: [
      "id,email,status,created_at,subscription_tier,utm_source,utm_medium",
      "1,stays@x.example,active,2023-03-24 10:23:10 UTC,free,,",
      "2,left@x.example,inactive,2023-03-24 10:23:10 UTC,free,,",
      "3,waits@x.example,needs_attention,2023-03-24 10:23:10 UTC,free,,",
    ],
  },
  {
    from: "Kit",
    source: "https://help.kit.com/en/articles/2502605-how-to-export-subscribers",
    lines: [
      "id,first_name,email,status,created_at,tags",
      "1,Ada,stays@x.example,active,2023-03-24 10:23:10 UTC,fair",
      "2,Ben,left@x.example,cancelled,2023-03-24 10:23:10 UTC,",
      "3,Cem,waits@x.example,unconfirmed,2023-03-24 10:23:10 UTC,",
      "4,Dag,bounced@x.example,bounced,2023-03-24 10:23:10 UTC,",
      "5,Eva,spam@x.example,complained,2023-03-24 10:23:10 UTC,",
    ],
  },
  {
    from: "Ghost",
    source: "https://github.com/TryGhost/Ghost/blob/main/ghost/members-csv/lib/unparse.js",
    lines: [
      "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers",
      "1,stays@x.example,Ada,,true,false,,2023-03-24T10:23:10.000Z,,,",
      "2,stays.comp@x.example,Ben,,true,true,,2023-03-24T10:23:10.000Z,,VIP,Gold",
      "3,left@x.example,Cem,,false,false,cus_1,2023-03-24T10:23:10.000Z,,,Gold",
      "4,left2@x.example,Dag,,true,false,,2023-03-24T10:23:10.000Z,2024-03-24T10:23:10.000Z,,",
      "5,doubt@x.example,Eva,,,false,,2023-03-24T10:23:10.000Z,,,",
    ],
  },
  {
    from: "Buttondown",
    source: "https://docs.buttondown.com/exporting-subscribers",
    lines: [
      "email,notes,metadata,tags,referrer_url,creation_date,secondary_id,subscriber_type,source,unsubscription_date,unsubscription_reason",
      "stays@x.example,,{},,,2024-05-06T15:42:19.123456Z,1,regular,embedded_form,,",
      "stays.paid@x.example,,{},,,2024-05-06T15:42:19.123456Z,1,premium,embedded_form,,",
      "left@x.example,,{},,,2024-05-06T15:42:19.123456Z,2,unsubscribed,embedded_form,2025-01-02T08:00:00Z,",
      "left2@x.example,,{},,,2024-05-06T15:42:19.123456Z,2,regular,embedded_form,2025-01-02T08:00:00Z,",
      "left3@x.example,,{},,,2024-05-06T15:42:19.123456Z,2,removed,embedded_form,,",
      "waits@x.example,,{},,,2024-05-06T15:42:19.123456Z,3,unactivated,api,,",
      "spam@x.example,,{},,,2024-05-06T15:42:19.123456Z,4,spammy,api,,",
      "bounced@x.example,,{},,,2024-05-06T15:42:19.123456Z,4,undeliverable,api,,",
    ],
  },
  {
    from: "MailerLite",
    source: "https://www.mailerlite.com/help/how-to-export-subscribers",
    lines: [
      "Subscriber,Name,Sent,Opened,Clicked,Subscribed,Unsubscribed,Location,Opt-in IP,Opt-in time,Status",
      "stays@x.example,Ada,20,0,0,2023-03-24 10:23:10,,DE,192.0.2.1,2023-03-24 10:23:10,active",
      "left@x.example,Ben,20,0,0,2023-03-24 10:23:10,2024-03-24 10:23:10,DE,,,unsubscribed",
      "left2@x.example,Ben,20,0,0,2023-03-24 10:23:10,2024-03-24 10:23:10,DE,,,active",
      "waits@x.example,Cem,0,0,0,2023-03-24 10:23:10,,DE,,,unconfirmed",
      "bounced@x.example,Dag,0,0,0,2023-03-24 10:23:10,,DE,,,bounced",
      "spam@x.example,Eva,0,0,0,2023-03-24 10:23:10,,DE,,,junk",
    ],
  },
  {
    from: "Constant Contact",
    source: "https://knowledgebase.constantcontact.com/email-digital-marketing/articles/KnowledgeBase/5873",
    lines: [
      "Email address,First name,Email status,Email permission status,Email update source,Confirmed Opt-Out Date,Confirmed Opt-Out Source,Confirmed Opt-Out Reason,Email Lists,Source Name,Created At,Updated At",
      "stays@x.example,Ada,Active,Implicit,Contact,,,,News,Website,2023-04-05 10:00:00,2023-04-05 10:00:00",
      "stays2@x.example,Ada,Active,Express,Contact,,,,News,Website,2023-04-05 10:00:00,2023-04-05 10:00:00",
      "left@x.example,Ben,Unsubscribed,Unsubscribed,Contact,2024-04-05 10:00:00,Contact,too many,,Website,2023-04-05 10:00:00,2024-04-05 10:00:00",
      "left2@x.example,Cem,Active,Implicit,Contact,2024-04-05 10:00:00,Contact,,,Website,2023-04-05 10:00:00,2024-04-05 10:00:00",
      "waits@x.example,Dag,Active,Pending confirmation,Contact,,,,,Website,2023-04-05 10:00:00,2024-04-05 10:00:00",
    ],
  },
  {
    from: "HubSpot, contacts",
    source: "https://knowledge.hubspot.com/properties/hubspots-default-contact-properties",
    lines: [
      "Record ID,First Name,Email,Lead Status,Lifecycle Stage,Unsubscribed from all email,Opted out of email: Marketing Information,Email hard bounce reason,Marketing contact status,Create Date",
      "1,Ada,stays@x.example,Open,Subscriber,false,false,,Marketing contact,2023-04-05 10:00",
      "2,Ben,left@x.example,Open,Subscriber,true,false,,Marketing contact,2023-04-05 10:00",
      "3,Cem,left2@x.example,New,Subscriber,,true,,Marketing contact,2023-04-05 10:00",
      "4,Dag,bounced@x.example,,Subscriber,false,,UNKNOWN_USER,Marketing contact,2023-04-05 10:00",
      "5,Eva,left3@x.example,,Subscriber,false,,,Non-marketing contact,2023-04-05 10:00",
    ],
  },
  {
    from: "HubSpot, unsubscribes and bounces",
    source: "https://knowledge.hubspot.com/marketing-email/export-unsubscribes-and-bounces",
    lines: [
      "Email,Portal Bounce,Portal Unsubscribe,Portal Spam Report,Global Bounce,Marketing Information,Weekly tips",
      "left@x.example,,TRUE,,,,",
      "left2@x.example,,,,,,TRUE",
      "bounced@x.example,UNKNOWN_USER,,,,,",
      "spam@x.example,,TRUE,TRUE,,,",
    ],
  },
  {
    from: "Klaviyo, profiles",
    source: "https://help.klaviyo.com/hc/en-us/articles/115005078967",
    lines: [
      "Email,First Name,Email Marketing Consent,Email Marketing Consent Timestamp,Email Suppressions,Email Suppressions Timestamp,SMS Marketing Consent,Profile Created On",
      "stays@x.example,Ada,SUBSCRIBED,2023-04-05 10:00:00,[],,NEVER_SUBSCRIBED,2023-04-05 10:00:00",
      "left@x.example,Ben,UNSUBSCRIBED,2023-04-05 10:00:00,[],,NEVER_SUBSCRIBED,2023-04-05 10:00:00",
      "left2@x.example,Cem,NEVER_SUBSCRIBED,,[],,NEVER_SUBSCRIBED,2023-04-05 10:00:00",
      "left3@x.example,Dag,SUBSCRIBED,2023-04-05 10:00:00,USER_SUPPRESSED,2024-04-05 10:00:00,NEVER_SUBSCRIBED,2023-04-05 10:00:00",
      "bounced@x.example,Eva,SUBSCRIBED,2023-04-05 10:00:00,HARD_BOUNCE,2024-04-05 10:00:00,NEVER_SUBSCRIBED,2023-04-05 10:00:00",
    ],
  },
  {
    from: "Brevo",
    source: "https://help.brevo.com/hc/en-us/articles/208740949",
    separator: ";",
    lines: [
      "EMAIL;FIRSTNAME;SMS;EMAIL_BLACKLIST;SMS_BLACKLIST;ADDED_TIME;MODIFIED_TIME",
      "stays@x.example;Ada;;false;true;2023-04-05 10:00:00;2023-04-05 10:00:00",
      "left@x.example;Ben;;true;false;2023-04-05 10:00:00;2024-04-05 10:00:00",
    ],
  },
  {
    from: "Brevo, with the subscription status",
    source: "https://developers.brevo.com/reference/request-contact-export",
    lines: [
      "EMAIL,FIRSTNAME,email_marketing,ADDED_TIME,MODIFIED_TIME",
      "stays@x.example,Ada,subscribed,2023-04-05 10:00:00,2023-04-05 10:00:00",
      "left@x.example,Ben,unsubscribed,2023-04-05 10:00:00,2023-04-05 10:00:00",
      "left2@x.example,Cem,Blocklisted,2023-04-05 10:00:00,2023-04-05 10:00:00",
    ],
  },
  {
    from: "AWeber",
    source:
      "the columns and dates that importers of its files read, such as `parseAWeberDate(row['Stop Time'])`",
    lines: [
      "Email,Name,Date Added,Stop Time,Stop Status,Misc,Ad Tracking,IP Address,Web Form URL,Country,Region,City,Postal Code,Latitude,Longitude,DMA Code,Area Code,Tags",
      "stays@x.example,Ada,04/25/23 10:00am,,0,,,192.0.2.1,,Germany,,Berlin,,52.5,13.4,0,0,fair",
      "left@x.example,Ben,04/25/23 10:00am,04/05/24 9:30pm,1,,,192.0.2.1,,,,,,,,0,0,",
      "left2@x.example,Cem,04/25/23 10:00am,04/05/24 9:30pm,0,,,192.0.2.1,,,,,,,,0,0,",
      "left3@x.example,Dag,04/25/23 10:00am,,2,,,192.0.2.1,,,,,,,,0,0,",
    ],
  },
  {
    from: "AWeber, with a status",
    source: "https://api.aweber.com/#tag/Subscribers (status, verified)",
    lines: [
      "Email,Name,Status,Date Added,Add Method,Stop Time,Stop Status,Verified",
      "stays@x.example,Ada,Subscribed,2023-04-05 10:00:00,web form,,,yes",
      "left@x.example,Ben,Unsubscribed,2023-04-05 10:00:00,web form,2024-04-05 10:00:00,unsubscribed,yes",
      "left2@x.example,Cem,Subscribed,2023-04-05 10:00:00,web form,2024-04-05 10:00:00,,yes",
      "bounced@x.example,Dag,Undeliverable,2023-04-05 10:00:00,import,,,no",
      "waits@x.example,Eva,Unverified,2023-04-05 10:00:00,import,,,no",
    ],
  },
  {
    from: "MailPoet",
    source:
      "https://github.com/mailpoet/mailpoet/blob/trunk/mailpoet/lib/Subscribers/ImportExport/ImportExportFactory.php",
    lines: [
      "Email,First name,Last name,Subscription IP,Subscription time,Confirmation time,Confirmation IP,List status,Global status",
      "stays@x.example,Ada,Oak,,2024-01-02 10:00:00,,,Subscribed,Subscribed",
      "left@x.example,Ben,Oak,,2024-01-02 10:00:00,2024-01-02 10:00:00,,Unsubscribed,Subscribed",
      "left2@x.example,Ben,Oak,,2024-01-02 10:00:00,2024-01-02 10:00:00,,Subscribed,Inactive",
      "waits@x.example,Cem,Oak,,2024-01-02 10:00:00,,,Subscribed,Unconfirmed",
      "bounced@x.example,Dag,Oak,,2024-01-02 10:00:00,,,Subscribed,Bounced",
    ],
  },
  {
    from: "phpList, names of the database",
    source: "https://github.com/phpList/phplist3/blob/main/public_html/lists/admin/structure.php",
    separator: "\t",
    lines: [
      "id\temail\tconfirmed\tblacklisted\toptedin\tbouncecount\tentered\tmodified\thtmlemail\tdisabled",
      "1\tstays@x.example\t1\t0\t0\t0\t2023-04-05 10:00:00\t2023-04-05 10:00:00\t0\t0",
      "2\tleft@x.example\t1\t1\t1\t0\t2023-04-05 10:00:00\t2023-04-05 10:00:00\t1\t0",
      "3\tleft2@x.example\t1\t0\t1\t0\t2023-04-05 10:00:00\t2023-04-05 10:00:00\t1\t1",
      "4\twaits@x.example\t0\t0\t0\t0\t2023-04-05 10:00:00\t2023-04-05 10:00:00\t1\t0",
      "5\tbounced@x.example\t1\t0\t0\t3\t2023-04-05 10:00:00\t2023-04-05 10:00:00\t1\t0",
    ],
  },
  {
    from: "phpList, names of the screens",
    source: "https://github.com/phpList/phplist3/blob/main/public_html/lists/admin/structure.php",
    separator: "\t",
    lines: [
      "ID\tEmail\tIs this subscriber confirmed\tIs this subscriber blacklisted\tDid this subscriber manually confirm\tNumber of bounces\tEntered\tSend this subscriber HTML emails",
      "1\tstays@x.example\t1\t0\t0\t0\t2023-04-05 10:00:00\t0",
      "2\tleft@x.example\t1\t1\t1\t0\t2023-04-05 10:00:00\t1",
      "3\twaits@x.example\t0\t0\t0\t0\t2023-04-05 10:00:00\t1",
      "4\tbounced@x.example\t1\t0\t0\t1\t2023-04-05 10:00:00\t1",
    ],
  },
  {
    from: "listmonk",
    source: "https://listmonk.app/docs/apis/subscribers/",
    lines: [
      "uuid,email,name,attributes,status,created_at,updated_at",
      '1,stays@x.example,Ada,"{""city"": ""Perth"", ""unsubscribed"": false}",enabled,2023-04-05T10:00:00Z,2023-04-05T10:00:00Z',
      "2,left@x.example,Ben,{},disabled,2023-04-05T10:00:00Z,2023-04-05T10:00:00Z",
      "3,left2@x.example,Cem,{},blocklisted,2023-04-05T10:00:00Z,2023-04-05T10:00:00Z",
      '4,left3@x.example,Dag,"{""unsubscribed"": true}",enabled,2023-04-05T10:00:00Z,2023-04-05T10:00:00Z',
    ],
  },
  {
    from: "ActiveCampaign",
    source: "https://help.activecampaign.com/hc/en-us/articles/220344648",
    lines: [
      "ID,Email,First Name,Last Name,Phone,Date Created,Status,Bounced,Tags",
      "1,stays@x.example,Ada,Oak,,2023-04-05 10:00:00,Active,0,fair",
      "2,left@x.example,Ben,Oak,,2023-04-05 10:00:00,Unsubscribed,0,",
      "3,waits@x.example,Cem,Oak,,2023-04-05 10:00:00,Unconfirmed,0,",
      "4,bounced@x.example,Dag,Oak,,2023-04-05 10:00:00,Bounced,1,",
      "5,bounced2@x.example,Eva,Oak,,2023-04-05 10:00:00,Active,2,",
    ],
  },
  {
    from: "Campaign Monitor",
    source: "https://help.campaignmonitor.com/s/article/export-subscribers",
    lines: [
      "Email Address,Name,Date Subscribed,Status,Consent to track",
      "stays@x.example,Ada,2023-04-05 10:00,Active,No",
      "left@x.example,Ben,2023-04-05 10:00,Unsubscribed,Yes",
      "left2@x.example,Cem,2023-04-05 10:00,Deleted,Unknown",
      "waits@x.example,Dag,2023-04-05 10:00,Unconfirmed,Unknown",
      "bounced@x.example,Eva,2023-04-05 10:00,Bounced,Unknown",
    ],
  },
  {
    from: "Steady, members",
    source: "https://help.steadyhq.com/en/articles/6265612",
    lines: [
      "first_name,last_name,country,street,street_number,city,zip_code,state,email,plan_name,plan_monthly_amount_cents,gifted,subscription_period,subscription_state,subscribed_at",
      "Ada,Oak,DE,,,Köln,,NRW,stays@x.example,Basic,500,FALSE,monthly,active,2024-01-02 10:00:00",
      "Ben,Oak,DE,,,,,,stays2@x.example,Basic,500,FALSE,monthly,in_trial,2024-01-02 10:00:00",
      "Ben,Oak,DE,,,,,Bayern,stays3@x.example,Basic,500,TRUE,annual,not_renewing,2024-01-02 10:00:00",
      "Cem,Oak,DE,,,,,,left@x.example,Basic,500,FALSE,monthly,cancelled,2024-01-02 10:00:00",
    ],
  },
  {
    from: "Steady, members, newer columns",
    source:
      "https://help.steadyhq.com/en/articles/6265612-export-list-and-information-about-your-members-in-csv-format",
    lines: [
      "first_name,last_name,email,plan_name,plan_monthly_amount_cents,gifted,subscription_period,subscription_state,subscribed_at,trial_ends_at,cancelled_at,expires_at,shipping_first_name,shipping_last_name,shipping_company_name,shipping_street_and_number,shipping_city,shipping_zip_code,shipping_state,shipping_country_code,new_plan_name,new_plan_monthly_amount_cents,price_increase_opt_in_email_sent_at,price_increase_opted_in_at,price_increase_new_plan_monthly_amount_cents",
      "Ada,Oak,stays@x.example,Basic,300,FALSE,annual,active,21.02.23,,,,,,,,Köln,,NRW,DE,,,21.08.23,30.08.23,",
      "Ben,Oak,stays2@x.example,Basic,600,FALSE,monthly,not_renewing,16.12.22,,28.02.23,28.02.23,,,,,,,,,,,,,",
      "Cem,Oak,stays3@x.example,Basic,600,FALSE,monthly,guest,16.12.22,,,,,,,,,,,,,,,,",
      "Dag,Oak,left@x.example,Basic,600,FALSE,monthly,cancelled,16.12.22,,28.02.23,28.02.23,,,,,,,,,,,,,",
    ],
  },
  {
    from: "a newsletter list of Steady’s",
    source: "https://help.steadyhq.com/en/articles/6265612",
    asks: true,
    lines: ["email,opted_in_at", "stays@x.example,2024-03-20 08:43:10.035321Z"],
  },
  {
    from: "Patreon, newer columns",
    source: "https://support.patreon.com/hc/en-us/articles/360045545032, and importers of its files",
    asks: true,
    lines: [
      "Name,Email,Discord,Patron Status,Follows You,Free Member,Free Trial,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,Addressee,Street,City,State,Zip,Country,Phone,Patronage Since Date,Last Charge Date,Last Charge Status,Additional Details,User ID,Last Updated,Currency,Max Posts,Access Expiration,Next Charge Date,Full country name,Subscription Source",
      "Ada,stays@x.example,kraft#9466,Active patron,No,No,No,20.00,5.00,monthly,Lamp,,,Perth,WA,,AU,,2023-04-08 17:45:28.731953,2023-05-31 07:46:37,Paid,,1,2024-04-05 10:00:00,USD,,,2024-05-05,Australia,web",
      "Ben,left@x.example,,Declined patron,No,No,No,0.00,1.00,monthly,Lamp,,,,,,,,2023-04-08 17:45:28.731953,2023-05-31 07:46:37,Declined,,2,2024-04-05 10:00:00,USD,,,,,web",
    ],
  },
  {
    from: "beehiiv, from Substack before",
    source: "https://github.com/TryGhost/migrate/tree/main/packages/mg-beehiiv-members (its test’s columns)",
    lines: [
      "email,First Name,Last Name,status,tier,created_at,stripe_customer_id,Free Tier,Premium Tier,unsubscribed_at,Subscription Date (Substack)",
      "stays@x.example, Ada  ,,active,free,2023-03-24 10:23:10 UTC,,Yes,No,,2022-03-12 11:43:23 UTC",
      "stays.paid@x.example,,Oak,active,premium,2023-03-24 10:36:47 UTC,cus_1,No,Yes,,",
      "left@x.example,,,active,premium,2023-04-11 14:02:46 UTC,cus_2,No,Yes,2024-03-13 11:33:53 UTC,",
      "left2@x.example,,,inactive,premium,2023-03-24 10:37:04 UTC,,No,Yes,,",
      "waits@x.example,,,pending,free,2023-04-11 14:02:46 UTC,,Yes,No,,",
    ],
  },
  {
    from: "Kit, cold subscribers",
    source: "https://help.convertkit.com/en/articles/2502651-the-subscriber-profile-page-status",
    lines: [
      "first_name,email_address,state,created_at,tags",
      "Ada,stays@x.example,active,2025-03-03,fair",
      "Ben,left@x.example,inactive,2025-03-03,",
      "Cem,left2@x.example,cancelled,2025-03-03,",
      "Dag,doubt@x.example,cold,2025-03-03,",
    ],
  },
  {
    from: "Squarespace, profiles",
    source: "https://support.squarespace.com/hc/en-us/articles/360046485652",
    lines: [
      "Email,First Name,Last Name,Shipping Name,Shipping Address,Shipping City,Shipping Province/State,Shipping Country,Subscriber Source,Created On,Mailing Lists,Subscriber Since,Has Account,Tags,Accepts Marketing",
      "stays@x.example,Ada,Oak,,,,,,Website,2023-04-05 10:00:00,News,2023-04-05 10:00:00,no,,true",
      "left@x.example,Ben,Oak,,,,,,Purchase,2023-04-05 10:00:00,,,no,,false",
    ],
  },
  {
    from: "Squarespace, a mailing list",
    source: "https://support.squarespace.com/hc/en-us/articles/360001280708",
    asks: true,
    lines: [
      "Email Address,First Name,Last Name,Subscribed On",
      "stays@x.example,Ada,Oak,2023-04-05 10:00:00",
    ],
  },
  {
    from: "Shopify, customers",
    source: "https://help.shopify.com/en/manual/customers/import-export-customers",
    lines: [
      "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags",
      "'1,Ada,Oak,stays@x.example,yes,,Perth,WA,AU,6000,,no,0.00,0,,no,",
      "'2,Ben,Oak,left@x.example,no,,Perth,WA,AU,6000,,yes,90.00,2,,no,VIP",
    ],
  },
  {
    from: "Shopify, older customers",
    source: "https://help.shopify.com/en/manual/customers/import-export-customers",
    lines: [
      "First Name,Last Name,Email,Company,City,Province,Country,Zip,Phone,Accepts Marketing,Total Spent,Total Orders,Tags,Note,Tax Exempt",
      "Ada,Oak,stays@x.example,,Perth,Western Australia,Australia,6000,,yes,0,0,,,no",
      "Ben,Oak,left@x.example,,Perth,Western Australia,Australia,6000,,no,0,0,,,no",
    ],
  },
  {
    from: "The Newsletter Plugin",
    source: "https://github.com/wp-plugins/newsletter/blob/master/users/users.php (export)",
    separator: ";",
    lines: [
      '\ufeff"Email";"Name";"Surname";"Gender";"Status";"Date";"Token";"Profile 1";"List 1";"List 2";"Feed by mail";"Follow up";"IP";"Referrer";"Country"',
      '"stays@x.example";"Ada";"Oak";"f";"C";"2023-04-05 10:00:00";"a1b2";"";"1";"0";"0";"0";"192.0.2.1";"widget";"DE";',
      '"left@x.example";"Ben";"Oak";"n";"U";"2023-04-05 10:00:00";"a1b3";"";"1";"0";"0";"0";"";"";"";',
      '"waits@x.example";"Cem";"Oak";"n";"S";"2023-04-05 10:00:00";"a1b4";"";"0";"0";"0";"0";"";"";"";',
      '"bounced@x.example";"Dag";"Oak";"n";"B";"2023-04-05 10:00:00";"a1b5";"";"0";"0";"0";"0";"";"";"";',
      '"spam@x.example";"Eva";"Oak";"n";"P";"2023-04-05 10:00:00";"a1b6";"";"0";"0";"0";"0";"";"";"";',
    ],
  },
  {
    from: "The Newsletter Plugin, before version 3",
    source:
      "https://github.com/wp-plugins/newsletter/blob/master/export.php: S is not confirmed, C is confirmed",
    lines: [
      "Email,Name,Status,Token",
      "stays@x.example;Ada;C;a1b2",
      "waits@x.example;Ben;S;a1b3",
      "stays2@x.example;Cem;C;a1b4",
    ],
  },
  {
    from: "Revue, unsubscribed readers",
    source: "https://web.archive.org/web/2022/https://help.getrevue.co/en/articles/570016",
    lines: [
      "email,first_name,last_name,created_at,unsubscribed_at",
      "left@x.example,Ada,Oak,2021-04-05 10:00:00,2022-04-05 10:00:00",
    ],
  },
  {
    from: "Revue, readers",
    source: "https://web.archive.org/web/2022/https://help.getrevue.co/en/articles/570016",
    asks: true,
    lines: ["email,first_name,last_name,created_at", "stays@x.example,Ada,Oak,2021-04-05 10:00:00"],
  },
  {
    from: "this site",
    source: "worker/newsletter/export.ts",
    lines: [
      "email,status,subscribed_at,confirmed_at,unsubscribed_at,paused_until,blocked_at,blocked_reason,source,consent,future_member",
      "stays@x.example,confirmed,2023-04-05T10:00:00.000Z,2023-04-05T10:00:00.000Z,,2026-12-05T10:00:00.000Z,,,footer,Imported from unsubscribed.csv,paid",
      "waits@x.example,pending,2023-04-05T10:00:00.000Z,,,,,,footer,Words,",
      "left@x.example,unsubscribed,2023-04-05T10:00:00.000Z,,2024-04-05T10:00:00.000Z,,,,footer,Words,",
      "bounced@x.example,bounced,2023-04-05T10:00:00.000Z,,,,2024-04-05T10:00:00.000Z,No such user,footer,Words,",
      "spam@x.example,complained,2023-04-05T10:00:00.000Z,,,,2024-04-05T10:00:00.000Z,Spam,footer,Words,",
    ],
  },
  {
    from: "Patreon",
    source: "https://support.patreon.com/hc/en-us/articles/360045545032",
    asks: true,
    lines: [
      "Name,Email,Discord,Patron Status,Follows You,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,Addressee,Street,City,State,Zip,Country,Phone,Patronage Since Date,Last Charge Date,Last Charge Status,Additional Details,User ID,Last Updated,Currency,Max Posts,Access Expiration,Next Charge Date",
      "Ada,stays@x.example,,Active patron,No,20,5,monthly,Lamp,,,Perth,WA,,AU,,2023-04-05 10:00:00,2024-04-05 10:00:00,Paid,,1,2024-04-05 10:00:00,USD,,,2024-05-05",
      "Ben,left.declined@x.example,,Declined patron,Yes,20,5,monthly,Lamp,,,,,,,,2023-04-05 10:00:00,2024-04-05 10:00:00,Declined,,2,2024-04-05 10:00:00,USD,,,",
      "Cem,left.former@x.example,,Former patron,Yes,20,0,monthly,,,,,,,,,2023-04-05 10:00:00,2024-04-05 10:00:00,Paid,,3,2024-04-05 10:00:00,USD,,,",
      "Dag,left.deleted@x.example,,Active patron,Yes,20,5,monthly,Lamp,,,,,,,,2023-04-05 10:00:00,2024-04-05 10:00:00,Deleted,,4,2024-04-05 10:00:00,USD,,,",
      "Eva,doubt@x.example,,,Yes,0,0,,,,,,,,,,,,,,5,2024-04-05 10:00:00,USD,,,",
    ],
  },
  {
    from: "Memberful",
    source: "https://memberful.com/help/general/member-account-management",
    asks: true,
    lines: [
      "Full Name,Email,Plan,Active,Created at,Stripe customer ID,Private note",
      "Ada Oak,stays@x.example,Lamp,Yes,2023-04-05 10:00:00,cus_1,",
      "Ben Oak,left@x.example,Lamp,No,2023-04-05 10:00:00,cus_2,",
    ],
  },
  {
    from: "Memberful, with what members agreed to",
    source: "https://memberful.com/help/general/member-account-management",
    lines: [
      "Full Name,Email,Plan,Subscribed to posts,Created at,Stripe customer ID",
      "Ada Oak,stays@x.example,Lamp,true,2023-04-05 10:00:00,cus_1",
      "Ben Oak,left@x.example,Lamp,false,2023-04-05 10:00:00,cus_2",
    ],
  },
  {
    from: "Wix, contacts",
    source: "https://support.wix.com/en/article/wix-contacts-exporting-your-contacts",
    lines: [
      "First Name,Last Name,Email 1,Phone 1,Address 1 - City,Address 1 - State/Region,Labels,Email subscriber status,SMS subscriber status,Created At (UTC+0)",
      "Ada,Oak,stays@x.example,,Perth,WA,fair,Subscribed,Never subscribed,2023-04-05 10:00",
      "Ben,Oak,left@x.example,,,,,Unsubscribed,Never subscribed,2023-04-05 10:00",
      "Cem,Oak,left2@x.example,,,,,Never subscribed,Never subscribed,2023-04-05 10:00",
      "Dag,Oak,waits@x.example,,,,,Pending,Never subscribed,2023-04-05 10:00",
    ],
  },
  {
    from: "GetResponse",
    source: "https://www.getresponse.com/help/how-to-export-contacts.html",
    lines: [
      "Name,Email,Added on,Status,Reason of removal",
      "Ada,stays@x.example,2023-04-05 10:00:00,active,",
      "Ben,left@x.example,2023-04-05 10:00:00,removed,Unsubscribed",
      "Cem,bounced@x.example,2023-04-05 10:00:00,removed,Bounced",
    ],
  },
  {
    from: "MailUp, unsubscribed recipients",
    source: "https://help.mailup.com/pages/viewpage.action?pageId=37978139",
    separator: ";",
    lines: [
      "Email;Phone Number;idList;OptOut_Date;optout_nl;optout_type;optout_subtype",
      "left@x.example;;1;20240122T111244;161;0;1",
    ],
  },
  {
    from: "rasa.io",
    source: "https://help.rasa.io/what-do-the-fields-in-my-contacts-export-represent",
    lines: [
      "ID,First Name,Last Name,Email,Subscribed,Unsubscribe Reason,Created,Updated,Source",
      "1,Ada,Oak,stays@x.example,1,,2023-04-05 10:00:00,2023-04-05 10:00:00,UI",
      "2,Ben,Oak,left@x.example,0,API,2023-04-05 10:00:00,2023-04-05 10:00:00,UI",
      "3,Cem,Oak,bounced@x.example,0,Bounce,2023-04-05 10:00:00,2023-04-05 10:00:00,UI",
    ],
  },
  {
    from: "Written Word Media",
    source:
      "https://support.writtenwordmedia.com/article/u7gwkh6znv-how-do-i-read-my-exported-list-of-subscribers",
    lines: [
      "First Name,Last Name,Subscriber Email,Opt-In Date,Source,Imported On,Opt-In Status",
      "Ada,Oak,stays@x.example,2023-04-05,Giveaway,2023-04-05,Double",
      "Ben,Oak,stays2@x.example,2023-04-05,Giveaway,2023-04-05,Single",
    ],
  },
  {
    from: "Mailcoach",
    source: "https://mailcoach.app/docs/v3/app/lists/subscribers",
    lines: [
      "email,first_name,last_name,tags,subscribed_at,unsubscribed_at",
      "stays@x.example,Ada,Oak,fair;vip,2023-04-05 10:00:00,",
      "left@x.example,Ben,Oak,,2023-04-05 10:00:00,2024-04-05 10:00:00",
    ],
  },
  {
    from: "Sendy",
    source: "https://github.com/tidvn/sendy/blob/main/includes/subscribers/export-csv.php",
    lines: [
      '"Name","Email","Joined","Last activity","Added via","Opt-in method","IP address","Country","Country code","Signed up from","Status","GDPR"',
      '"Ada","stays@x.example","2023-04-05 10:00:00","2023-04-05 10:00:00","Standard subscribe form","Double opt-in","192.0.2.1","Germany","DE","","Active","Yes"',
      '"Ben","left@x.example","2023-04-05 10:00:00","","App interface","","No data","No data","No data","","Unsubscribed","No"',
      '"Cem","waits@x.example","2023-04-05 10:00:00","","API","Single opt-in","","","","","Unconfirmed","Yes"',
      '"Dag","bounced@x.example","2023-04-05 10:00:00","","API","Single opt-in","","","","","Bounced","Yes"',
      '"Eva","spam@x.example","2023-04-05 10:00:00","","API","Single opt-in","","","","","Marked as spam","No"',
      '"Fay","doubt@x.example","2023-04-05 10:00:00","","API","Single opt-in","","","","","Active","No"',
    ],
  },
  {
    from: "MailerLite, names alone",
    source: "a public importer's test of its file, “reads a mailing service's own export”",
    asks: true,
    lines: ["Subscriber,Name,Last name", "stays@x.example,Ada,Oak", "stays2@x.example,Ben,"],
  },
  {
    from: "a German shop",
    source: "https://docs.shopware.com/de/shopware-6-de/marketing/newsletter-empfaenger",
    separator: ";",
    lines: [
      "Vorname;Nachname;E-Mail-Adresse;Status;Abmeldedatum",
      "Ada;Eiche;stays@x.example;Angemeldet;",
      "Ben;Eiche;left@x.example;Abgemeldet;03.02.2024",
      "Cem;Eiche;left2@x.example;Angemeldet;03.02.2024",
      "Dag;Eiche;waits@x.example;Unbestätigt;",
      "Eva;Eiche;bounced@x.example;Unzustellbar;",
    ],
  },
  {
    from: "a French list",
    source: "https://www.larousse.fr/dictionnaires/francais-anglais/désabonner",
    separator: ";",
    lines: [
      "Nom;Adresse e-mail;Statut;Désinscrit le",
      "Ada;stays@x.example;Abonné;",
      "Ben;left@x.example;Désabonné;",
      "Cem;left2@x.example;Abonné;03/02/2024",
      "Dag;waits@x.example;En attente;",
    ],
  },
  {
    from: "a Spanish list",
    source: "https://dle.rae.es/baja",
    lines: [
      "Nombre,Correo electrónico,Estado,Acepta publicidad",
      "Ada,stays@x.example,Activo,sí",
      "Ben,left@x.example,Baja,sí",
      "Cem,left2@x.example,Activo,no",
      "Dag,waits@x.example,Pendiente,sí",
    ],
  },
  {
    from: "an Italian list",
    source: "https://www.treccani.it/vocabolario/disiscrivere/",
    lines: [
      "Nome,Email,Stato,Consenso marketing",
      "Ada,stays@x.example,Iscritto,sì",
      "Ben,left@x.example,Disiscritto,sì",
      "Cem,left2@x.example,Iscritto,no",
      "Dag,waits@x.example,In attesa,sì",
    ],
  },
  {
    from: "a Portuguese list",
    source: "https://dicionario.priberam.org/descadastrar",
    lines: [
      "Nome,E-mail,Situação,Descadastrado em",
      "Ada,stays@x.example,Inscrito,",
      "Ben,left@x.example,Descadastrado,2024-02-03",
      "Cem,left2@x.example,Inscrito,2024-02-03",
      "Dag,waits@x.example,Pendente,",
    ],
  },
  {
    from: "a Dutch list",
    source: "https://www.vandale.nl/gratis-woordenboek/nederlands/betekenis/uitschrijven",
    separator: ";",
    lines: [
      "Naam;E-mailadres;Status;Toestemming nieuwsbrief",
      "Ada;stays@x.example;Ingeschreven;ja",
      "Ben;left@x.example;Uitgeschreven;ja",
      "Cem;left2@x.example;Ingeschreven;nee",
      "Dag;waits@x.example;In afwachting;ja",
    ],
  },
];

const expected = (email: string) =>
  ({
    stays: "active",
    waits: "pending",
    left: "unsubscribed",
    bounced: "bounced",
    spam: "complained",
    doubt: "left out",
  })[/^[a-z]+/.exec(email)![0]];

describe("the export of", () => {
  test.each(exports)("$from", async ({ lines, name, asks = false }) => {
    const list = await openList(`${lines.join("\r\n")}\r\n`, name);
    const { layout } = await survey(list);
    assert.equal(layout.saysWhoLeft, !asks);
    const states = await statesIn(list, { everyone: asks ? "agreed" : null, words: {} });
    const right = Object.fromEntries(Object.keys(states).map((email) => [email, expected(email)]));
    assert.deepEqual(states, right);
    assert.equal(Object.keys(states).length, lines.length - 1);
  });

  const programs = (
    "Mailchimp, Substack, beehiiv, Kit, Ghost, Buttondown, MailerLite, Constant Contact, HubSpot, Klaviyo, Brevo, AWeber, " +
    "MailPoet, phpList, listmonk, ActiveCampaign, Campaign Monitor, Steady, Squarespace, Shopify, Revue, this site, " +
    "Sendy, The Newsletter Plugin, Patreon, Memberful"
  ).split(", ");
  test.each(programs)("%s is recognised by its columns or names", async (program) => {
    const files = exports.filter(({ from }) => from.split(", ")[0] === program);
    assert.ok(files.length > 0);
    for (const { lines, name } of files) {
      const { layout } = await survey(await openList(`${lines.join("\n")}\n`, name));
      assert.match(layout.known?.name ?? "", new RegExp(`^${program}`), lines[0]);
    }
  });

  test("of a program of which no file was found adds no rules to those of any list", () => {
    const unverified = knownExports.filter(({ isUnverified }) => isUnverified);
    assert.ok(unverified.length > 0);
    const own = new Set(["name", "columns", "hasNoOthers", "isUnverified", "memberOf"]);
    for (const entry of unverified)
      assert.ok(
        Object.keys(entry).every((key) => own.has(key)),
        entry.name,
      );
  });

  test("that asks for each person with a no, such as Sendy’s “GDPR”, takes the owner’s answer for all", async () => {
    const { lines } = exports.find(({ from }) => from === "Sendy")!;
    const list = await openList(`${lines.join("\n")}\n`);
    const words = { [doubtKey({ column: 11, word: "No" })]: "active" } as const;
    const states = await statesIn(list, { everyone: null, words });
    assert.equal(states["doubt@x.example"], "active");
    assert.equal(states["left@x.example"], "unsubscribed");
  });

  test("at least 49 forms are among these", () => {
    assert.ok(exports.length >= 49, String(exports.length));
  });
});
