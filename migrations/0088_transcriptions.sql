CREATE TABLE `transcription_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `transcription_pieces` (
	`transcription_id` integer NOT NULL,
	`number` integer NOT NULL,
	`state` text NOT NULL,
	`position` text,
	`start` real,
	`end` real,
	`next` text,
	`asked` integer NOT NULL,
	`words` text,
	PRIMARY KEY(`transcription_id`, `number`),
	FOREIGN KEY (`transcription_id`) REFERENCES `transcriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `transcriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`episode_id` integer NOT NULL,
	`recording` text NOT NULL,
	`state` text NOT NULL,
	`step` integer NOT NULL,
	`service` text NOT NULL,
	`model` text NOT NULL,
	`language` text,
	`heard` text,
	`price_per_minute` real NOT NULL,
	`problem` text,
	`retry_at` integer,
	`busy_answers` integer NOT NULL,
	`started_at` integer NOT NULL,
	`accepted_at` integer,
	`missing` text NOT NULL,
	`draft` text NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transcriptions_episode_id_unique` ON `transcriptions` (`episode_id`);--> statement-breakpoint
ALTER TABLE `shows` ADD `voices` text DEFAULT '[]' NOT NULL;