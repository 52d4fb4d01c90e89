-- `season_number` and `episode_number` may be null, for which SQLite needs a new table. In it long texts are last again.
-- D1 enforces foreign keys whatever a migration says: with the old table go the rows that refer to it. They are copied
-- first, and put back. The search index is not told of it, because nothing of what it holds changes.
DROP TRIGGER search_episodes_insert;
--> statement-breakpoint
DROP TRIGGER search_episodes_update;
--> statement-breakpoint
DROP TRIGGER search_episodes_delete;
--> statement-breakpoint
DROP TRIGGER search_passages_insert;
--> statement-breakpoint
DROP TRIGGER search_passages_delete;
--> statement-breakpoint
CREATE TABLE `__episode_passages` AS SELECT * FROM `episode_passages`;
--> statement-breakpoint
CREATE TABLE `__favorites` AS SELECT * FROM `favorites`;
--> statement-breakpoint
CREATE TABLE `__playlist_items` AS SELECT * FROM `playlist_items`;
--> statement-breakpoint
CREATE TABLE `__progress` AS SELECT * FROM `progress`;
--> statement-breakpoint
CREATE TABLE `__new_episodes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`guid` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer,
	`scheduled_for` integer,
	`season_number` integer,
	`episode_number` integer,
	`episode_type` text NOT NULL,
	`explicit` integer NOT NULL,
	`blocked` integer DEFAULT false NOT NULL,
	`duration_seconds` integer NOT NULL,
	`audio_file_id` text,
	`image_file_id` text,
	`image_alt` text NOT NULL,
	`video_url` text,
	`youtube_url` text,
	`spotify_url` text,
	`apple_url` text,
	`chapters` text NOT NULL,
	`people` text NOT NULL,
	`soundbites` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`show_notes` text NOT NULL,
	`show_notes_html` text NOT NULL,
	`transcript` text NOT NULL,
	`cues` text NOT NULL,
	`show_notes_text` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_episodes`("id", "slug", "guid", "title", "description", "status", "published_at", "scheduled_for", "season_number", "episode_number", "episode_type", "explicit", "blocked", "duration_seconds", "audio_file_id", "image_file_id", "image_alt", "video_url", "youtube_url", "spotify_url", "apple_url", "chapters", "people", "soundbites", "created_at", "updated_at", "embedded_file_ids", "show_notes", "show_notes_html", "transcript", "cues", "show_notes_text") SELECT "id", "slug", "guid", "title", "description", "status", "published_at", "scheduled_for", "season_number", "episode_number", "episode_type", "explicit", "blocked", "duration_seconds", "audio_file_id", "image_file_id", "image_alt", "video_url", "youtube_url", "spotify_url", "apple_url", "chapters", "people", "soundbites", "created_at", "updated_at", "embedded_file_ids", "show_notes", "show_notes_html", "transcript", "cues", "show_notes_text" FROM `episodes`;
--> statement-breakpoint
-- No id is ever used again, not even the last one's.
UPDATE `sqlite_sequence` SET `seq` = coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'episodes'), 0) WHERE `name` = '__new_episodes';
--> statement-breakpoint
DROP TABLE `episodes`;
--> statement-breakpoint
ALTER TABLE `__new_episodes` RENAME TO `episodes`;
--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_slug` ON `episodes` (`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_guid` ON `episodes` (`guid`);
--> statement-breakpoint
CREATE INDEX `episodes_published` ON `episodes` (`status`,`published_at`,`id`,`audio_file_id`);
--> statement-breakpoint
CREATE INDEX `episodes_due` ON `episodes` (`status`,`scheduled_for`);
--> statement-breakpoint
INSERT INTO `episode_passages` SELECT * FROM `__episode_passages`;
--> statement-breakpoint
DROP TABLE `__episode_passages`;
--> statement-breakpoint
INSERT INTO `favorites` SELECT * FROM `__favorites`;
--> statement-breakpoint
DROP TABLE `__favorites`;
--> statement-breakpoint
INSERT INTO `playlist_items` SELECT * FROM `__playlist_items`;
--> statement-breakpoint
DROP TABLE `__playlist_items`;
--> statement-breakpoint
INSERT INTO `progress` SELECT * FROM `__progress`;
--> statement-breakpoint
DROP TABLE `__progress`;
--> statement-breakpoint
CREATE TRIGGER search_passages_insert AFTER INSERT ON episode_passages BEGIN
	INSERT INTO passage_search (rowid, speakers, text) VALUES (new.id, new.speakers, new.text);
	INSERT INTO search_words (rowid, words) VALUES (-new.id, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER search_passages_delete AFTER DELETE ON episode_passages BEGIN
	INSERT INTO passage_search (passage_search, rowid, speakers, text)
	VALUES ('delete', old.id, old.speakers, old.text);
	DELETE FROM search_words WHERE rowid = -old.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_episodes_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'episode', id, slug, published_at, title, description, (SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people)), show_notes_text
	FROM episodes WHERE status = 'published' AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_episodes_update AFTER UPDATE OF title, description, people, show_notes_text, slug, published_at, status ON episodes BEGIN
	DELETE FROM search_documents WHERE kind = 'episode' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'episode', id, slug, published_at, title, description, (SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people)), show_notes_text
	FROM episodes WHERE status = 'published' AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_episodes_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM search_documents WHERE kind = 'episode' AND item_id = old.id;
END;
