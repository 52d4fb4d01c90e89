CREATE TABLE `episode_old_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`episode_id` integer NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `episode_old_addresses_by_episode` ON `episode_old_addresses` (`episode_id`);