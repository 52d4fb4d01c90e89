CREATE TABLE `import_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`import_id` integer NOT NULL,
	`key` text NOT NULL,
	`title` text NOT NULL,
	`state` text NOT NULL,
	`not_before` integer NOT NULL,
	`claim` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`message` text,
	`result` text,
	`size` integer DEFAULT 0 NOT NULL,
	`moved` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`saved` text,
	`payload` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `import_items_once` ON `import_items` (`import_id`,`key`);--> statement-breakpoint
CREATE INDEX `import_items_by_import` ON `import_items` (`import_id`);--> statement-breakpoint
CREATE INDEX `import_items_by_state` ON `import_items` (`import_id`,`state`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`paused_reason` text,
	`total` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`bytes_moved` integer DEFAULT 0 NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`updated_at` integer NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `imports_by_state` ON `imports` (`state`);--> statement-breakpoint
CREATE INDEX `imports_by_kind` ON `imports` (`kind`,`id`);