CREATE TABLE `search_documents` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`slug` text NOT NULL,
	`date` integer,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`names` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_documents_item` ON `search_documents` (`kind`,`item_id`);--> statement-breakpoint
ALTER TABLE `articles` ADD `content_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `episodes` ADD `show_notes_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `press_items` ADD `content_text` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- Search
DROP TRIGGER search_episodes_insert;
--> statement-breakpoint
DROP TRIGGER search_episodes_update;
--> statement-breakpoint
DROP TRIGGER search_episodes_delete;
--> statement-breakpoint
DROP TRIGGER search_articles_insert;
--> statement-breakpoint
DROP TRIGGER search_articles_update;
--> statement-breakpoint
DROP TRIGGER search_articles_delete;
--> statement-breakpoint
DROP TRIGGER search_press_items_insert;
--> statement-breakpoint
DROP TRIGGER search_press_items_update;
--> statement-breakpoint
DROP TRIGGER search_press_items_delete;
--> statement-breakpoint
DROP TRIGGER search_episode_passages_insert;
--> statement-breakpoint
DROP TRIGGER search_episode_passages_delete;
--> statement-breakpoint
DROP VIEW searchable_episodes;
--> statement-breakpoint
DROP VIEW searchable_articles;
--> statement-breakpoint
DROP VIEW searchable_press_items;
--> statement-breakpoint
DROP TABLE search_vocabulary;
--> statement-breakpoint
DROP TABLE search_words;
--> statement-breakpoint
DROP TABLE search;
--> statement-breakpoint
-- The text of what was saved so far: HTML cut at each `<`, and of each piece what follows its tag.
UPDATE articles SET content_text = (SELECT trim(replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&'))
		FROM json_each('[' || replace(json_quote(content_html), '<', '","') || ']'));
--> statement-breakpoint
UPDATE episodes SET show_notes_text = (SELECT trim(replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&'))
		FROM json_each('[' || replace(json_quote(show_notes_html), '<', '","') || ']'));
--> statement-breakpoint
UPDATE press_items SET content_text = (SELECT trim(replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&'))
		FROM json_each('[' || replace(json_quote(content_html), '<', '","') || ']'));
--> statement-breakpoint
CREATE VIRTUAL TABLE search USING fts5(
	title, summary, names, body, kind UNINDEXED, item_id UNINDEXED, slug UNINDEXED, date UNINDEXED,
	content = 'search_documents', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1000.0, 100.0, 100.0, 1.0)');
--> statement-breakpoint
CREATE VIRTUAL TABLE search_words USING fts5(
	words, content = '', contentless_delete = 1, detail = 'none', tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab('search_words', 'row');
--> statement-breakpoint
-- Numbered as before, so that the version that runs until it is replaced reads the index rightly.
INSERT INTO search_documents (id, kind, item_id, slug, date, title, summary, names, body)
	SELECT id * 4, 'episode', id, slug, published_at, title, description, (SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people)), show_notes_text
	FROM episodes WHERE status = 'published';
--> statement-breakpoint
INSERT INTO search_documents (id, kind, item_id, slug, date, title, summary, names, body)
	SELECT id * 4 + 1, 'essay', id, slug, published_at, title, excerpt, (SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags)), content_text
	FROM articles WHERE status = 'published';
--> statement-breakpoint
INSERT INTO search_documents (id, kind, item_id, slug, date, title, summary, names, body)
	SELECT id * 4 + 2, 'press', id, '', date, title, summary, outlet, content_text
	FROM press_items WHERE published = 1;
--> statement-breakpoint
INSERT INTO search (search) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO search_words (rowid, words) SELECT id, title || ' ' || summary || ' ' || names || ' ' || body FROM search_documents;
--> statement-breakpoint
INSERT INTO search_words (rowid, words) SELECT -id, text FROM episode_passages;
--> statement-breakpoint
CREATE TRIGGER search_documents_insert AFTER INSERT ON search_documents BEGIN
	INSERT INTO search (rowid, title, summary, names, body)
	SELECT id, title, summary, names, body FROM search_documents WHERE id = new.id;
	INSERT INTO search_words (rowid, words) SELECT id, title || ' ' || summary || ' ' || names || ' ' || body FROM search_documents WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_documents_delete AFTER DELETE ON search_documents BEGIN
	INSERT INTO search (search, rowid, title, summary, names, body)
	VALUES ('delete', old.id, old.title, old.summary, old.names, old.body);
	DELETE FROM search_words WHERE rowid = old.id;
END;
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
--> statement-breakpoint
CREATE TRIGGER search_articles_insert AFTER INSERT ON articles BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'essay', id, slug, published_at, title, excerpt, (SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags)), content_text
	FROM articles WHERE status = 'published' AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_articles_update AFTER UPDATE OF title, excerpt, tags, content_text, slug, published_at, status ON articles BEGIN
	DELETE FROM search_documents WHERE kind = 'essay' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'essay', id, slug, published_at, title, excerpt, (SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags)), content_text
	FROM articles WHERE status = 'published' AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_articles_delete AFTER DELETE ON articles BEGIN
	DELETE FROM search_documents WHERE kind = 'essay' AND item_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_press_items_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'press', id, '', date, title, summary, outlet, content_text
	FROM press_items WHERE published = 1 AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_press_items_update AFTER UPDATE OF title, summary, outlet, content_text, date, published ON press_items BEGIN
	DELETE FROM search_documents WHERE kind = 'press' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'press', id, '', date, title, summary, outlet, content_text
	FROM press_items WHERE published = 1 AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER search_press_items_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM search_documents WHERE kind = 'press' AND item_id = old.id;
END;
