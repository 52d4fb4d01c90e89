CREATE TABLE `episode_former_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`episode_id` integer NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `episode_former_slugs_by_episode` ON `episode_former_slugs` (`episode_id`);