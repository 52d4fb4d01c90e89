-- Search. A row of `search` and `search_words` is numbered by what it stands for: an episode's id × 4, an article's
-- × 4 + 1, a press item's × 4 + 2; in `search_words` also a passage of a transcript, × 4 + 3.
-- A migration that rebuilds episodes, articles, press_items or episode_passages takes these triggers with it, and
-- stops at the view: drop the view before and make both again after.
CREATE VIRTUAL TABLE `search` USING fts5(
	title, summary, names, body,
	tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO `search` (`search`, `rank`) VALUES ('rank', 'bm25(10.0, 4.0, 4.0, 1.0)');
--> statement-breakpoint
-- What is said in episodes, published or not: it is joined to its episode, which tells.
CREATE VIRTUAL TABLE `passage_search` USING fts5(
	speakers, text,
	content = 'episode_passages', content_rowid = 'id',
	tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
-- The words as they are written, to find the one that was meant.
CREATE VIRTUAL TABLE `search_words` USING fts5(
	words,
	content = '', contentless_delete = 1, detail = 'none', tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_vocabulary` USING fts5vocab('search_words', 'row');
--> statement-breakpoint
-- Sanitised HTML as plain text: cut at each `<`, and of each piece what follows its tag.
CREATE VIEW `searchable_episodes` (`id`, `title`, `summary`, `names`, `body`) AS
SELECT `id`, `title`, `description`,
	(SELECT coalesce(group_concat(json_extract(value, '$.name'), ', '), '') FROM json_each(`people`)),
	(SELECT replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&')
		FROM json_each('[' || replace(json_quote(`show_notes_html`), '<', '","') || ']'))
FROM `episodes` WHERE `status` = 'published';
--> statement-breakpoint
CREATE VIEW `searchable_articles` (`id`, `title`, `summary`, `names`, `body`) AS
SELECT `id`, `title`, `excerpt`,
	(SELECT coalesce(group_concat(value, ', '), '') FROM json_each(`tags`)),
	(SELECT replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&')
		FROM json_each('[' || replace(json_quote(`content_html`), '<', '","') || ']'))
FROM `articles` WHERE `status` = 'published';
--> statement-breakpoint
CREATE VIEW `searchable_press_items` (`id`, `title`, `summary`, `names`, `body`) AS
SELECT `id`, `title`, `summary`, `outlet`,
	(SELECT replace(replace(group_concat(
			iif(value GLOB 'a *' OR substr(value, 1, instr(value, '>') - 1)
				IN ('/a', 'em', '/em', 'strong', '/strong', 'code', '/code', 'del', '/del'), '', ' ')
			|| substr(value, instr(value, '>') + 1), ''), '&#x3C;', '<'), '&#x26;', '&')
		FROM json_each('[' || replace(json_quote(`content_html`), '<', '","') || ']'))
FROM `press_items` WHERE `published` = 1;
--> statement-breakpoint
CREATE TRIGGER `search_episodes_insert` AFTER INSERT ON `episodes` BEGIN
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4, title, summary, names, body FROM searchable_episodes WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_episodes WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_episodes_update` AFTER UPDATE OF `title`, `description`, `show_notes_html`, `people`, `status` ON `episodes` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4;
	DELETE FROM search_words WHERE rowid = old.id * 4;
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4, title, summary, names, body FROM searchable_episodes WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_episodes WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_episodes_delete` AFTER DELETE ON `episodes` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4;
	DELETE FROM search_words WHERE rowid = old.id * 4;
END;
--> statement-breakpoint
CREATE TRIGGER `search_articles_insert` AFTER INSERT ON `articles` BEGIN
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4 + 1, title, summary, names, body FROM searchable_articles WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4 + 1, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_articles WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_articles_update` AFTER UPDATE OF `title`, `excerpt`, `content_html`, `tags`, `status` ON `articles` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4 + 1;
	DELETE FROM search_words WHERE rowid = old.id * 4 + 1;
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4 + 1, title, summary, names, body FROM searchable_articles WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4 + 1, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_articles WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_articles_delete` AFTER DELETE ON `articles` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4 + 1;
	DELETE FROM search_words WHERE rowid = old.id * 4 + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `search_press_items_insert` AFTER INSERT ON `press_items` BEGIN
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4 + 2, title, summary, names, body FROM searchable_press_items WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4 + 2, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_press_items WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_press_items_update` AFTER UPDATE OF `title`, `summary`, `outlet`, `content_html`, `published` ON `press_items` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4 + 2;
	DELETE FROM search_words WHERE rowid = old.id * 4 + 2;
	INSERT INTO search (rowid, title, summary, names, body)
		SELECT id * 4 + 2, title, summary, names, body FROM searchable_press_items WHERE id = new.id;
	INSERT INTO search_words (rowid, words)
		SELECT id * 4 + 2, title || ' ' || summary || ' ' || names || ' ' || body FROM searchable_press_items WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_press_items_delete` AFTER DELETE ON `press_items` BEGIN
	DELETE FROM search WHERE rowid = old.id * 4 + 2;
	DELETE FROM search_words WHERE rowid = old.id * 4 + 2;
END;
--> statement-breakpoint
CREATE TRIGGER `search_episode_passages_insert` AFTER INSERT ON `episode_passages` BEGIN
	INSERT INTO passage_search (rowid, speakers, text) VALUES (new.id, new.speakers, new.text);
	INSERT INTO search_words (rowid, words) VALUES (new.id * 4 + 3, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER `search_episode_passages_delete` AFTER DELETE ON `episode_passages` BEGIN
	INSERT INTO passage_search (passage_search, rowid, speakers, text) VALUES ('delete', old.id, old.speakers, old.text);
	DELETE FROM search_words WHERE rowid = old.id * 4 + 3;
END;
--> statement-breakpoint
INSERT INTO `search` (`rowid`, `title`, `summary`, `names`, `body`)
	SELECT id * 4, title, summary, names, body FROM `searchable_episodes`;
--> statement-breakpoint
INSERT INTO `search_words` (`rowid`, `words`)
	SELECT id * 4, title || ' ' || summary || ' ' || names || ' ' || body FROM `searchable_episodes`;
--> statement-breakpoint
INSERT INTO `search` (`rowid`, `title`, `summary`, `names`, `body`)
	SELECT id * 4 + 1, title, summary, names, body FROM `searchable_articles`;
--> statement-breakpoint
INSERT INTO `search_words` (`rowid`, `words`)
	SELECT id * 4 + 1, title || ' ' || summary || ' ' || names || ' ' || body FROM `searchable_articles`;
--> statement-breakpoint
INSERT INTO `search` (`rowid`, `title`, `summary`, `names`, `body`)
	SELECT id * 4 + 2, title, summary, names, body FROM `searchable_press_items`;
--> statement-breakpoint
INSERT INTO `search_words` (`rowid`, `words`)
	SELECT id * 4 + 2, title || ' ' || summary || ' ' || names || ' ' || body FROM `searchable_press_items`;
