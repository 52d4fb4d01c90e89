CREATE TABLE `episode_former_audio` (
	`file_id` text PRIMARY KEY NOT NULL,
	`episode_id` integer NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `episode_former_audio_by_episode` ON `episode_former_audio` (`episode_id`);