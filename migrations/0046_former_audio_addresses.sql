CREATE TABLE `__new_episode_former_audio` (
	`file_id` text PRIMARY KEY NOT NULL,
	`episode_id` integer,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
INSERT INTO `__new_episode_former_audio`("file_id", "episode_id") SELECT "file_id", "episode_id" FROM `episode_former_audio`;--> statement-breakpoint
DROP TABLE `episode_former_audio`;--> statement-breakpoint
ALTER TABLE `__new_episode_former_audio` RENAME TO `episode_former_audio`;--> statement-breakpoint
CREATE INDEX `episode_former_audio_by_episode` ON `episode_former_audio` (`episode_id`);