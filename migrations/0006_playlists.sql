CREATE TABLE `favorites` (
	`listener` text NOT NULL,
	`episode_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`listener`, `episode_id`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `favorites_newest` ON `favorites` (`listener`,`created_at`,`episode_id`);--> statement-breakpoint
CREATE INDEX `favorites_by_episode` ON `favorites` (`episode_id`);--> statement-breakpoint
CREATE TABLE `playlist_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`playlist_id` text NOT NULL,
	`episode_id` integer NOT NULL,
	`position` integer NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `playlist_items_once` ON `playlist_items` (`playlist_id`,`episode_id`);--> statement-breakpoint
CREATE INDEX `playlist_items_in_order` ON `playlist_items` (`playlist_id`,`position`,`episode_id`);--> statement-breakpoint
CREATE INDEX `playlist_items_by_episode` ON `playlist_items` (`episode_id`);--> statement-breakpoint
CREATE TABLE `playlists` (
	`id` text PRIMARY KEY NOT NULL,
	`listener` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`is_public` integer NOT NULL,
	`smart` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `playlists_newest` ON `playlists` (`listener`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `playlists_smart` ON `playlists` (`listener`,`smart`);--> statement-breakpoint
CREATE TABLE `progress` (
	`listener` text NOT NULL,
	`episode_id` integer NOT NULL,
	`progress_seconds` integer NOT NULL,
	`completed` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`listener`, `episode_id`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `progress_newest` ON `progress` (`listener`,`updated_at`,`episode_id`);--> statement-breakpoint
CREATE INDEX `progress_by_episode` ON `progress` (`episode_id`);