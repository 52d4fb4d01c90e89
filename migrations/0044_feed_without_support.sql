-- Without the support link the feed is another one from here on, where the switch is off: apps that ask by date hear of it.
UPDATE `shows` SET `feed_changed_at` = max(`feed_changed_at` + 1, CAST(unixepoch('subsec') * 1000 AS integer))
WHERE `funding_url` IS NOT NULL
AND (SELECT json_extract(`site`, '$.features.patreon') FROM `settings` WHERE `id` = 1) = 0;
