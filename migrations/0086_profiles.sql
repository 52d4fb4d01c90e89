CREATE TABLE `profiles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`about` text NOT NULL,
	`image_file_id` text,
	`image_alt` text NOT NULL,
	`links` text DEFAULT '[]' NOT NULL,
	`draft_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `profiles_name` ON `profiles` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_slug` ON `profiles` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_draft_key` ON `profiles` (`draft_key`);--> statement-breakpoint
-- As uses-schema.ts writes them.
CREATE TRIGGER file_uses_profiles_insert AFTER INSERT ON profiles BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'profile', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_profiles_update AFTER UPDATE OF image_file_id ON profiles WHEN old.image_file_id IS NOT new.image_file_id BEGIN
	DELETE FROM file_uses WHERE kind = 'profile' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'profile', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_profiles_delete AFTER DELETE ON profiles BEGIN
	DELETE FROM file_uses WHERE kind = 'profile' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
