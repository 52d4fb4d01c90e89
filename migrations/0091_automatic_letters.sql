CREATE TABLE `automatic_letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`is_on` integer NOT NULL,
	`on_since` integer NOT NULL,
	`frequency` text NOT NULL,
	`weekday` integer NOT NULL,
	`monthday` integer NOT NULL,
	`hour` integer NOT NULL,
	`items` text NOT NULL,
	`mode` text NOT NULL,
	`subject` text NOT NULL,
	`preheader` text NOT NULL,
	`segment` text NOT NULL,
	`is_public` integer NOT NULL,
	`done_until` integer NOT NULL,
	`last_letter_id` integer,
	`last_made_at` integer,
	`draft_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `automatic_letters_draft_key` ON `automatic_letters` (`draft_key`);--> statement-breakpoint
CREATE TABLE `automatic_letter_items` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`automatic_letter_id` integer NOT NULL,
	`status` text NOT NULL,
	`noticed_at` integer NOT NULL,
	`letter_id` integer,
	PRIMARY KEY(`kind`, `item_id`, `automatic_letter_id`),
	FOREIGN KEY (`automatic_letter_id`) REFERENCES `automatic_letters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `automatic_letter_items_waiting` ON `automatic_letter_items` (`automatic_letter_id`,`noticed_at`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `automatic_letter_items_by_letter` ON `automatic_letter_items` (`letter_id`) WHERE letter_id is not null;--> statement-breakpoint
ALTER TABLE `binned_letters` ADD `automatic_letter_id` integer;--> statement-breakpoint
ALTER TABLE `letters` ADD `automatic_letter_id` integer;--> statement-breakpoint
-- As uses-schema.ts writes them.
CREATE TRIGGER file_uses_automatic_letters_insert AFTER INSERT ON automatic_letters BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'automatic-letter', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_automatic_letters_update AFTER UPDATE OF embedded_file_ids ON automatic_letters WHEN old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'automatic-letter' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'automatic-letter', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_automatic_letters_delete AFTER DELETE ON automatic_letters BEGIN
	DELETE FROM file_uses WHERE kind = 'automatic-letter' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
