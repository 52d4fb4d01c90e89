import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** The site map. */
export default [
  layout("site/layout.tsx", [
    index("site/home/page.tsx"),
    route("about", "site/about/page.tsx"),
    route("mission", "site/mission/page.tsx"),
    route("podcast", "site/podcast/page.tsx"),
    route("podcast/:slug", "site/podcast/redirect.ts"),
    route("episode/:id", "site/episode/page.tsx"),
    route("playlists/:id", "site/playlist/page.tsx"),
    route("conversations", "site/conversations/page.tsx"),
    route("essays", "site/essays/page.tsx"),
    route("essays/:slug", "site/essays/essay.tsx"),
    route("media", "site/media/page.tsx"),
    route("media-kit", "site/media-kit/page.tsx"),
    route("petitions", "site/petitions/page.tsx"),
    route("speaking", "site/speaking/page.tsx"),
    route("speaking/book", "site/booking/page.tsx"),
    route("guest", "site/guest/page.tsx"),
    route("contact", "site/contact/page.tsx"),
    route("three-es", "site/three-es/page.tsx"),
    route("privacy-policy", "site/legal/page.tsx", { id: "privacy-policy" }),
    route("terms-of-service", "site/legal/page.tsx", { id: "terms-of-service" }),
    route("privacy", "site/legal/redirect.ts", { id: "privacy" }),
    route("terms", "site/legal/redirect.ts", { id: "terms" }),
    route("search", "site/search/page.tsx"),
    route("verify-email", "site/newsletter/verify-email.tsx"),
    route("unsubscribe", "site/newsletter/unsubscribe.tsx"),
    route("*", "site/not-found.tsx"),
  ]),

  ...prefix("admin", [
    layout("admin/door/layout.tsx", [
      route("login", "admin/door/login.tsx"),
      route("setup", "admin/door/setup.tsx"),
      route("verify-email", "admin/door/verify-email.tsx"),
    ]),
    route("", "admin/layout.tsx", [
      index("admin/home.ts"),
      route("speaking", "admin/speaking/tab.tsx"),
      route("articles", "admin/articles/tab.tsx"),
      route("media", "admin/press/tab.tsx"),
      route("podcast", "admin/podcast/tab.tsx", [
        index("admin/podcast/list.tsx"),
        route("show", "admin/podcast/show.tsx"),
        route("new", "admin/podcast/new.tsx"),
        route(":id", "admin/podcast/edit.tsx"),
      ]),
      route("ventures", "admin/ventures/tab.tsx"),
      route("newsletter", "admin/newsletter/tab.tsx"),
      route("users", "admin/users/tab.tsx"),
      route("guests", "admin/guests/tab.tsx"),
      route("analytics", "admin/analytics/tab.tsx"),
      route("settings", "admin/settings/tab.tsx", [
        index("admin/settings/mails.tsx"),
        route("mails/:id", "admin/settings/mail.tsx"),
      ]),
      route("*", "admin/not-found.ts"),
    ]),
  ]),
] satisfies RouteConfig;
