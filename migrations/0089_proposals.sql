CREATE TABLE `proposal_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `proposal_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`episode_id` integer NOT NULL,
	`state` text NOT NULL,
	`step` integer NOT NULL,
	`next` integer NOT NULL,
	`service` text NOT NULL,
	`model` text NOT NULL,
	`input_price` real NOT NULL,
	`output_price` real NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`problem` text,
	`retry_at` integer,
	`busy_answers` integer NOT NULL,
	`started_at` integer NOT NULL,
	`recording` text,
	`found` text NOT NULL,
	`cues` text NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposal_runs_episode_id_unique` ON `proposal_runs` (`episode_id`);--> statement-breakpoint
CREATE TABLE `proposals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` integer NOT NULL,
	`state` text NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `proposal_runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `proposals_run` ON `proposals` (`run_id`);