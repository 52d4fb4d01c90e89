CREATE TABLE `episode_passages` (
	`id` integer PRIMARY KEY NOT NULL,
	`episode_id` integer NOT NULL,
	`speakers` text NOT NULL,
	`text` text NOT NULL,
	`cues` text NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `episode_passages_by_episode` ON `episode_passages` (`episode_id`);