import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** The site map. */
export default [
  layout("site/layout.tsx", [
    index("site/home/page.tsx"),
    route("podcast", "site/podcast/page.tsx"),
    route("podcast/:slug", "site/podcast/redirect.ts"),
    route("episode/:id", "site/episode/page.tsx"),
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
