ALTER TABLE `files` ADD `chapter_picture_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- As uses-schema.ts writes them.
DROP TRIGGER file_uses_files_insert;
--> statement-breakpoint
CREATE TRIGGER file_uses_files_insert AFTER INSERT ON files BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'file', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.chapter_picture_ids, '$[#]', new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER file_uses_files_update;
--> statement-breakpoint
CREATE TRIGGER file_uses_files_update AFTER UPDATE OF artwork_file_id, chapter_picture_ids ON files WHEN old.artwork_file_id IS NOT new.artwork_file_id OR old.chapter_picture_ids IS NOT new.chapter_picture_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'file' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_insert(new.chapter_picture_ids, '$[#]', new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'file', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.chapter_picture_ids, '$[#]', new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
