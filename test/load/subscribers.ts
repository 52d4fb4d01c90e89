/** Makes these all the subscribers of a site: `count` confirmed ones, reader1@example.com and so on. */
export const replaceSubscribers = (DB: D1Database, count: number) =>
  DB.batch([
    DB.prepare("delete from subscribers"),
    DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < cast(?1 as integer))
      insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      select 'reader-' || i, 'reader' || i || '@example.com', 'active', 'test', ?2, 'Yes.', ?2, 's' from n`,
    ).bind(count, Date.now()),
  ]);
