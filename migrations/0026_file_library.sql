CREATE TABLE `file_uses` (
	`file_id` text NOT NULL,
	`kind` text NOT NULL,
	`item` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`file_id`, `kind`, `item`, `version`)
);
--> statement-breakpoint
CREATE INDEX `file_uses_by_item` ON `file_uses` (`kind`,`item`,`version`);--> statement-breakpoint
ALTER TABLE `articles` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `articles_draft_key` ON `articles` (`draft_key`);--> statement-breakpoint
ALTER TABLE `episodes` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_draft_key` ON `episodes` (`draft_key`);--> statement-breakpoint
ALTER TABLE `files` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `alt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `kept_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `is_used` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `files_number` ON `files` (`number`);--> statement-breakpoint
-- Where files are used, and their numbers, as uses-schema.ts writes it; and what is said of pictures already.
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'article', CAST(articles.id AS TEXT), 0
	FROM articles, json_each(json_insert(articles.embedded_file_ids, '$[#]', articles.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'episode', CAST(episodes.id AS TEXT), 0
	FROM episodes, json_each(json_insert(episodes.embedded_file_ids, '$[#]', episodes.audio_file_id, '$[#]', episodes.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'show', CAST(shows.id AS TEXT), 0
	FROM shows, json_each(json_array(shows.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'press', CAST(press_items.id AS TEXT), 0
	FROM press_items, json_each(press_items.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'page', CAST(pages.slug AS TEXT), 0
	FROM pages, json_each(pages.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'venture', CAST(ventures.id AS TEXT), 0
	FROM ventures, json_each(json_array(ventures.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'letter', CAST(letters.id AS TEXT), 0
	FROM letters, json_each(letters.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'file', CAST(files.id AS TEXT), 0
	FROM files, json_each(json_array(files.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, revisions.kind, revisions.item, revisions.id
	FROM revisions, json_each(revisions.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE files SET is_used = 1 WHERE id IN (SELECT file_id FROM file_uses);
--> statement-breakpoint
UPDATE files SET number = ordered.number
	FROM (SELECT id, row_number() OVER (ORDER BY completed_at, id) AS number FROM files WHERE status = 'complete') AS ordered
	WHERE ordered.id = files.id;
--> statement-breakpoint
UPDATE files SET alt = described.image_alt
	FROM (SELECT image_file_id, image_alt FROM articles WHERE image_file_id IS NOT NULL AND image_alt <> '') AS described
	WHERE described.image_file_id = files.id AND files.alt = '';
--> statement-breakpoint
UPDATE files SET alt = described.image_alt
	FROM (SELECT image_file_id, image_alt FROM episodes WHERE image_file_id IS NOT NULL AND image_alt <> '') AS described
	WHERE described.image_file_id = files.id AND files.alt = '';
--> statement-breakpoint
CREATE TRIGGER file_uses_articles_insert AFTER INSERT ON articles BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'article', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_articles_update AFTER UPDATE OF image_file_id, embedded_file_ids ON articles WHEN old.image_file_id IS NOT new.image_file_id OR old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'article' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'article', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_articles_delete AFTER DELETE ON articles BEGIN
	DELETE FROM file_uses WHERE kind = 'article' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_episodes_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'episode', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.audio_file_id, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_episodes_update AFTER UPDATE OF audio_file_id, image_file_id, embedded_file_ids ON episodes WHEN old.audio_file_id IS NOT new.audio_file_id OR old.image_file_id IS NOT new.image_file_id OR old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'episode' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.audio_file_id, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'episode', CAST(new.id AS TEXT), 0
	FROM json_each(json_insert(new.embedded_file_ids, '$[#]', new.audio_file_id, '$[#]', new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_episodes_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM file_uses WHERE kind = 'episode' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_shows_insert AFTER INSERT ON shows BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'show', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_shows_update AFTER UPDATE OF artwork_file_id ON shows WHEN old.artwork_file_id IS NOT new.artwork_file_id BEGIN
	DELETE FROM file_uses WHERE kind = 'show' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'show', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_shows_delete AFTER DELETE ON shows BEGIN
	DELETE FROM file_uses WHERE kind = 'show' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_press_items_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'press', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_press_items_update AFTER UPDATE OF embedded_file_ids ON press_items WHEN old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'press' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'press', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_press_items_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM file_uses WHERE kind = 'press' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_pages_insert AFTER INSERT ON pages BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'page', CAST(new.slug AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_pages_update AFTER UPDATE OF embedded_file_ids ON pages WHEN old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'page' AND item = CAST(old.slug AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'page', CAST(new.slug AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_pages_delete AFTER DELETE ON pages BEGIN
	DELETE FROM file_uses WHERE kind = 'page' AND item = CAST(old.slug AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_ventures_insert AFTER INSERT ON ventures BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'venture', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_ventures_update AFTER UPDATE OF image_file_id ON ventures WHEN old.image_file_id IS NOT new.image_file_id BEGIN
	DELETE FROM file_uses WHERE kind = 'venture' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'venture', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.image_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_ventures_delete AFTER DELETE ON ventures BEGIN
	DELETE FROM file_uses WHERE kind = 'venture' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_letters_insert AFTER INSERT ON letters BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'letter', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_letters_update AFTER UPDATE OF embedded_file_ids ON letters WHEN old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'letter' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'letter', CAST(new.id AS TEXT), 0
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_letters_delete AFTER DELETE ON letters BEGIN
	DELETE FROM file_uses WHERE kind = 'letter' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_files_insert AFTER INSERT ON files BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'file', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_files_update AFTER UPDATE OF artwork_file_id ON files WHEN old.artwork_file_id IS NOT new.artwork_file_id BEGIN
	DELETE FROM file_uses WHERE kind = 'file' AND item = CAST(old.id AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'file', CAST(new.id AS TEXT), 0
	FROM json_each(json_array(new.artwork_file_id)) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_files_delete AFTER DELETE ON files BEGIN
	DELETE FROM file_uses WHERE kind = 'file' AND item = CAST(old.id AS TEXT) AND version = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_revisions_insert AFTER INSERT ON revisions BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, new.kind, new.item, new.id
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_revisions_update AFTER UPDATE OF embedded_file_ids ON revisions WHEN old.embedded_file_ids IS NOT new.embedded_file_ids BEGIN
	DELETE FROM file_uses WHERE kind = old.kind AND item = old.item AND version = old.id
	AND file_id NOT IN (SELECT value FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, new.kind, new.item, new.id
	FROM json_each(new.embedded_file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_revisions_delete AFTER DELETE ON revisions BEGIN
	DELETE FROM file_uses WHERE kind = old.kind AND item = old.item AND version = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_insert AFTER INSERT ON file_uses BEGIN
	UPDATE files SET is_used = 1 WHERE id = new.file_id AND is_used = 0;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_delete AFTER DELETE ON file_uses BEGIN
	UPDATE files SET is_used = 0 WHERE id = old.file_id
	AND NOT EXISTS (SELECT 1 FROM file_uses WHERE file_id = old.file_id);
END;
--> statement-breakpoint
CREATE TRIGGER files_number_insert AFTER INSERT ON files WHEN new.status = 'complete' BEGIN
	UPDATE files SET number = (SELECT coalesce(max(number), 0) + 1 FROM files),
	is_used = EXISTS (SELECT 1 FROM file_uses WHERE file_id = new.id) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER files_number_update AFTER UPDATE OF status ON files WHEN new.status = 'complete' AND new.number IS NULL BEGIN
	UPDATE files SET number = (SELECT coalesce(max(number), 0) + 1 FROM files),
	is_used = EXISTS (SELECT 1 FROM file_uses WHERE file_id = new.id) WHERE id = new.id;
END;
--> statement-breakpoint
-- The owner's search of files and press items, as search-schema.ts writes it.
CREATE VIRTUAL TABLE press_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE file_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items;
--> statement-breakpoint
INSERT INTO file_search (rowid, title, text, filters)
	SELECT number, name, alt,
		'kind' || CASE WHEN type LIKE 'image/%' THEN 'picture' WHEN type LIKE 'audio/%' THEN 'audio' ELSE 'other' END
		|| CASE is_used WHEN 1 THEN ' useyes' ELSE ' useno' END
	FROM files WHERE number IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER press_search_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER press_search_update AFTER UPDATE OF title, summary, outlet, content_text ON press_items BEGIN
	DELETE FROM press_search WHERE rowid = old.id;
	INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER press_search_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM press_search WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER file_search_update AFTER UPDATE OF number, name, alt, type, is_used ON files BEGIN
	DELETE FROM file_search WHERE rowid = old.number;
	INSERT INTO file_search (rowid, title, text, filters)
	SELECT number, name, alt,
		'kind' || CASE WHEN type LIKE 'image/%' THEN 'picture' WHEN type LIKE 'audio/%' THEN 'audio' ELSE 'other' END
		|| CASE is_used WHEN 1 THEN ' useyes' ELSE ' useno' END
	FROM files WHERE number IS NOT NULL AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER file_search_delete AFTER DELETE ON files BEGIN
	DELETE FROM file_search WHERE rowid = old.number;
END;
