CREATE INDEX `episodes_numbered` ON `episodes` (`season_number`,`episode_number`);--> statement-breakpoint
-- The owner's search, of drafts too.
CREATE VIRTUAL TABLE episode_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes;
--> statement-breakpoint
CREATE TRIGGER episode_search_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER episode_search_update AFTER UPDATE OF title, description, show_notes_text, status, season_number, episode_type ON episodes BEGIN
	DELETE FROM episode_search WHERE rowid = old.id;
	INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER episode_search_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM episode_search WHERE rowid = old.id;
END;
