CREATE TABLE `rate_limits` (
	`subject` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_expired` ON `rate_limits` (`expires_at`);--> statement-breakpoint
CREATE TABLE `listeners` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listeners_seen` ON `listeners` (`seen_at`);--> statement-breakpoint
CREATE INDEX `subscribers_unconfirmed` ON `subscribers` (`subscribed_at`) WHERE verified_at is null and status = 'active';--> statement-breakpoint
INSERT INTO `listeners` (`id`, `seen_at`)
SELECT `listener`, max(`at`) FROM (
	SELECT `listener`, `updated_at` AS `at` FROM `playlists`
	UNION ALL SELECT `listener`, `created_at` FROM `favorites`
	UNION ALL SELECT `listener`, `updated_at` FROM `progress`
) GROUP BY `listener`;
--> statement-breakpoint
-- Whoever keeps something has a row in `listeners`, without which nobody would ever delete it. A migration that rebuilds
-- one of the three tables takes its trigger with it, and makes it again.
CREATE TRIGGER `playlists_listener` AFTER INSERT ON `playlists` BEGIN
	INSERT INTO `listeners` (`id`, `seen_at`) SELECT new.`listener`, new.`created_at`
	WHERE NOT EXISTS (SELECT 1 FROM `listeners` WHERE `id` = new.`listener`);
END;
--> statement-breakpoint
CREATE TRIGGER `favorites_listener` AFTER INSERT ON `favorites` BEGIN
	INSERT INTO `listeners` (`id`, `seen_at`) SELECT new.`listener`, new.`created_at`
	WHERE NOT EXISTS (SELECT 1 FROM `listeners` WHERE `id` = new.`listener`);
END;
--> statement-breakpoint
CREATE TRIGGER `progress_listener` AFTER INSERT ON `progress` BEGIN
	INSERT INTO `listeners` (`id`, `seen_at`) SELECT new.`listener`, new.`updated_at`
	WHERE NOT EXISTS (SELECT 1 FROM `listeners` WHERE `id` = new.`listener`);
END;
