CREATE TABLE `__new_article_former_slugs` (
	`slug` text NOT NULL,
	`article_id` integer NOT NULL,
	`left_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`slug`, `article_id`),
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_article_former_slugs`("slug", "article_id", "left_at") SELECT "slug", "article_id", 0 FROM `article_former_slugs`;--> statement-breakpoint
DROP TABLE `article_former_slugs`;--> statement-breakpoint
ALTER TABLE `__new_article_former_slugs` RENAME TO `article_former_slugs`;--> statement-breakpoint
CREATE INDEX `article_former_slugs_by_article` ON `article_former_slugs` (`article_id`);--> statement-breakpoint
CREATE TABLE `__new_episode_former_slugs` (
	`slug` text NOT NULL,
	`episode_id` integer NOT NULL,
	`left_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`slug`, `episode_id`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_episode_former_slugs`("slug", "episode_id", "left_at") SELECT "slug", "episode_id", 0 FROM `episode_former_slugs`;--> statement-breakpoint
DROP TABLE `episode_former_slugs`;--> statement-breakpoint
ALTER TABLE `__new_episode_former_slugs` RENAME TO `episode_former_slugs`;--> statement-breakpoint
CREATE INDEX `episode_former_slugs_by_episode` ON `episode_former_slugs` (`episode_id`);--> statement-breakpoint
-- From now on what leaves the public keeps its slug as a former one, so that it is known to have been public.
INSERT OR IGNORE INTO `article_former_slugs` SELECT "slug", "id", 0 FROM `articles`
	WHERE "status" <> 'published' AND ("status" = 'archived'
		OR EXISTS (SELECT 1 FROM `publications` WHERE "kind" = 'article' AND "item_id" = `articles`."id"));--> statement-breakpoint
INSERT OR IGNORE INTO `episode_former_slugs` SELECT "slug", "id", 0 FROM `episodes`
	WHERE "status" <> 'published' AND ("status" = 'archived' OR "published_at" IS NOT NULL
		OR EXISTS (SELECT 1 FROM `publications` WHERE "kind" = 'episode' AND "item_id" = `episodes`."id"));
