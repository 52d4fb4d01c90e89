CREATE TABLE `preview_links` (
	`kind` text NOT NULL,
	`item` text NOT NULL,
	`stamp` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `item`)
);
--> statement-breakpoint
CREATE TABLE `revisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`item` text NOT NULL,
	`user_id` text,
	`user_name` text,
	`is_automatic` integer NOT NULL,
	`restored_from` integer,
	`started_at` integer NOT NULL,
	`saved_at` integer NOT NULL,
	`digest` text NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`packed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `revisions_by_item` ON `revisions` (`kind`,`item`,`id`);