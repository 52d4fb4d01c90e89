CREATE TABLE `search_pending` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`target` text NOT NULL,
	`row` integer NOT NULL,
	`is_bulk` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_pending_row` ON `search_pending` (`target`,`row`);--> statement-breakpoint
CREATE INDEX `search_pending_by_target` ON `search_pending` (`is_bulk`,`target`);--> statement-breakpoint
-- The index of words as search-schema.ts makes it. The documents stay, and so do the tables "search" and "passage_search",
-- which the former version reads until it has ended: the Worker drops them once it has written all rows anew.
DROP TRIGGER IF EXISTS search_documents_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_documents_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_passages_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_passages_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS article_search_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS article_search_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS article_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS episode_search_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS episode_search_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS episode_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS press_search_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS press_search_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS press_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS file_search_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS file_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS subscriber_search_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS subscriber_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS enquiry_search_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS enquiry_search_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS enquiry_search_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_articles_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_articles_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_articles_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_episodes_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_episodes_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_episodes_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_press_items_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_press_items_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_press_items_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_campaigns_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_campaigns_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_campaigns_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_ventures_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_ventures_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_ventures_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_engagements_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_engagements_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_engagements_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_categories_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_categories_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_categories_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_letters_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_letters_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS owner_search_letters_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_episodes_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_episodes_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_episodes_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_articles_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_articles_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_articles_delete;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_press_items_insert;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_press_items_update;--> statement-breakpoint
DROP TRIGGER IF EXISTS search_press_items_delete;--> statement-breakpoint
DROP TABLE IF EXISTS owner_search;--> statement-breakpoint
DROP TABLE IF EXISTS subscriber_search;--> statement-breakpoint
DROP TABLE IF EXISTS enquiry_search;--> statement-breakpoint
DROP TABLE IF EXISTS article_search;--> statement-breakpoint
DROP TABLE IF EXISTS episode_search;--> statement-breakpoint
DROP TABLE IF EXISTS press_search;--> statement-breakpoint
DROP TABLE IF EXISTS file_search;--> statement-breakpoint
DROP TABLE IF EXISTS search_compounds;--> statement-breakpoint
DROP TABLE IF EXISTS search_vocabulary;--> statement-breakpoint
DROP TABLE IF EXISTS search_words;--> statement-breakpoint
DROP TABLE IF EXISTS moment_search;--> statement-breakpoint
DROP TABLE IF EXISTS document_search;--> statement-breakpoint
CREATE VIRTUAL TABLE document_search USING fts5(
	title, summary, names, body, title_plain, summary_plain, body_plain, kind, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
INSERT INTO document_search (document_search, rank)
	VALUES ('rank', 'bm25(100000000.0, 10000.0, 10000.0, 1.0, 1000000.0, 100.0, 0.02, 0.0)');--> statement-breakpoint
CREATE VIRTUAL TABLE moment_search USING fts5(
	speakers, text, speakers_plain, text_plain, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
INSERT INTO moment_search (moment_search, rank) VALUES ('rank', 'bm25(1.0, 1.0, 0.02, 0.02)');--> statement-breakpoint
CREATE VIRTUAL TABLE search_words USING fts5(
	words, content = '', contentless_delete = 1, detail = 'none', tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co'''
);--> statement-breakpoint
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab('search_words', 'row');--> statement-breakpoint
CREATE VIRTUAL TABLE search_compounds USING fts5(term, tokenize = 'trigram');--> statement-breakpoint
CREATE VIRTUAL TABLE article_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
CREATE VIRTUAL TABLE episode_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
CREATE VIRTUAL TABLE press_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
CREATE VIRTUAL TABLE file_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3'
);--> statement-breakpoint
CREATE VIRTUAL TABLE subscriber_search USING fts5(
	email, content = '', contentless_delete = 1, tokenize = 'trigram'
);--> statement-breakpoint
CREATE VIRTUAL TABLE enquiry_search USING fts5(
	kind, name, email, title, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
);--> statement-breakpoint
CREATE VIRTUAL TABLE owner_search USING fts5(title UNINDEXED, words, tokenize = 'unicode61 remove_diacritics 2 categories ''L* M* N* Co''', prefix = '2 3');--> statement-breakpoint
INSERT INTO document_search (rowid, title, summary, names, body, kind)
	SELECT id, title, summary, names, body, 'kind' || kind FROM search_documents;--> statement-breakpoint
INSERT INTO moment_search (rowid, speakers, text)
	SELECT id, speakers, text FROM episode_passages;--> statement-breakpoint
INSERT INTO search_words (rowid, words) SELECT id, title || ' ' || summary || ' ' || names || ' ' || body FROM search_documents;--> statement-breakpoint
INSERT INTO search_words (rowid, words) SELECT -id, text FROM episode_passages;--> statement-breakpoint
INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles;--> statement-breakpoint
INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes;--> statement-breakpoint
INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items;--> statement-breakpoint
INSERT INTO file_search (rowid, title, text, filters)
	SELECT number, name, alt,
		'kind' || CASE WHEN type LIKE 'image/%' THEN 'picture' WHEN type LIKE 'audio/%' THEN 'audio' ELSE 'other' END
		|| CASE is_used WHEN 1 THEN ' useyes' ELSE ' useno' END
	FROM files WHERE number IS NOT NULL;--> statement-breakpoint
INSERT INTO subscriber_search (rowid, email) SELECT rowid, email FROM subscribers;--> statement-breakpoint
INSERT INTO enquiry_search (rowid, kind, name, email, title) SELECT id, kind, name, email, title FROM enquiries;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 1099511627776 + id, title, title FROM articles;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 2199023255552 + id, title, title FROM episodes;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 3298534883328 + id, title, title FROM press_items;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 4398046511104 + id, title, title FROM campaigns;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 5497558138880 + id, name, name FROM ventures;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 6597069766656 + id, title, title FROM engagements;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 7696581394432 + id, name, name FROM categories;--> statement-breakpoint
INSERT INTO owner_search (rowid, title, words) SELECT 8796093022208 + id, subject, subject FROM letters;--> statement-breakpoint
DELETE FROM search_pending;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk) VALUES ('former', 0, 1);--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'document_search', id, 1 FROM search_documents WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'moment_search', id, 1 FROM episode_passages WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'article_search', id, 1 FROM articles WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'episode_search', id, 1 FROM episodes WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'press_search', id, 1 FROM press_items WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'file_search', number, 1 FROM files WHERE number IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'enquiry_search', id, 1 FROM enquiries WHERE id IS NOT NULL;--> statement-breakpoint
INSERT INTO search_pending (target, row, is_bulk)
	SELECT 'owner_search', rowid, 1 FROM owner_search WHERE rowid IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER search_documents_insert AFTER INSERT ON search_documents BEGIN
	INSERT INTO document_search (rowid, title, summary, names, body, kind)
	SELECT id, title, summary, names, body, 'kind' || kind FROM search_documents WHERE id = new.id;
	INSERT INTO search_words (rowid, words) SELECT id, title || ' ' || summary || ' ' || names || ' ' || body FROM search_documents WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'document_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'document_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER search_documents_delete AFTER DELETE ON search_documents BEGIN
	DELETE FROM document_search WHERE rowid = old.id;
	DELETE FROM search_words WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'document_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER search_passages_insert AFTER INSERT ON episode_passages BEGIN
	INSERT INTO moment_search (rowid, speakers, text)
	SELECT id, speakers, text FROM episode_passages WHERE id = new.id;
	INSERT INTO search_words (rowid, words) VALUES (-new.id, new.text);
	DELETE FROM search_pending WHERE target = 'moment_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'moment_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER search_passages_delete AFTER DELETE ON episode_passages BEGIN
	DELETE FROM moment_search WHERE rowid = old.id;
	DELETE FROM search_words WHERE rowid = -old.id;
	DELETE FROM search_pending WHERE target = 'moment_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER article_search_insert AFTER INSERT ON articles BEGIN
	INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'article_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'article_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER article_search_update AFTER UPDATE OF title, excerpt, content_text, status, source, category_id ON articles BEGIN
	DELETE FROM article_search WHERE rowid = old.id;
	INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'article_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'article_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER article_search_delete AFTER DELETE ON articles BEGIN
	DELETE FROM article_search WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'article_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER episode_search_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'episode_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'episode_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER episode_search_update AFTER UPDATE OF title, description, show_notes_text, status, season_number, episode_type ON episodes BEGIN
	DELETE FROM episode_search WHERE rowid = old.id;
	INSERT INTO episode_search (rowid, title, text, filters)
	SELECT id, title, description || ' ' || show_notes_text,
		'status' || status || ' season' || coalesce(season_number, 'none') || ' type' || episode_type
	FROM episodes WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'episode_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'episode_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER episode_search_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM episode_search WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'episode_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER press_search_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'press_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'press_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER press_search_update AFTER UPDATE OF title, summary, outlet, content_text ON press_items BEGIN
	DELETE FROM press_search WHERE rowid = old.id;
	INSERT INTO press_search (rowid, title, text, filters)
	SELECT id, title, summary || ' ' || outlet || ' ' || content_text,
		''
	FROM press_items WHERE id = new.id;
	DELETE FROM search_pending WHERE target = 'press_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'press_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER press_search_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM press_search WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'press_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER file_search_update AFTER UPDATE OF number, name, alt, type, is_used ON files BEGIN
	DELETE FROM file_search WHERE rowid = old.number;
	INSERT INTO file_search (rowid, title, text, filters)
	SELECT number, name, alt,
		'kind' || CASE WHEN type LIKE 'image/%' THEN 'picture' WHEN type LIKE 'audio/%' THEN 'audio' ELSE 'other' END
		|| CASE is_used WHEN 1 THEN ' useyes' ELSE ' useno' END
	FROM files WHERE number IS NOT NULL AND id = new.id;
	DELETE FROM search_pending WHERE target = 'file_search' AND row = new.number;
	INSERT INTO search_pending (target, row) SELECT 'file_search', new.number WHERE new.number IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER file_search_delete AFTER DELETE ON files BEGIN
	DELETE FROM file_search WHERE rowid = old.number;
	DELETE FROM search_pending WHERE target = 'file_search' AND row = old.number;
END;--> statement-breakpoint
CREATE TRIGGER subscriber_search_insert AFTER INSERT ON subscribers BEGIN
	INSERT INTO subscriber_search (rowid, email) VALUES (new.rowid, new.email);
END;--> statement-breakpoint
CREATE TRIGGER subscriber_search_delete AFTER DELETE ON subscribers BEGIN
	DELETE FROM subscriber_search WHERE rowid = old.rowid;
END;--> statement-breakpoint
CREATE TRIGGER enquiry_search_insert AFTER INSERT ON enquiries BEGIN
	INSERT INTO enquiry_search (rowid, kind, name, email, title) VALUES (new.id, new.kind, new.name, new.email, new.title);
	DELETE FROM search_pending WHERE target = 'enquiry_search' AND row = new.id;
	INSERT INTO search_pending (target, row) SELECT 'enquiry_search', new.id WHERE new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER enquiry_search_update AFTER UPDATE OF kind, name, email, title ON enquiries BEGIN
	UPDATE enquiry_search SET kind = new.kind, name = new.name, email = new.email, title = new.title WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'enquiry_search' AND row = old.id;
	INSERT INTO search_pending (target, row) SELECT 'enquiry_search', old.id WHERE old.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER enquiry_search_delete AFTER DELETE ON enquiries BEGIN
	DELETE FROM enquiry_search WHERE rowid = old.id;
	DELETE FROM search_pending WHERE target = 'enquiry_search' AND row = old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_articles_insert AFTER INSERT ON articles BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (1099511627776 + new.id, new.title, new.title);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 1099511627776 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 1099511627776 + new.id WHERE 1099511627776 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_articles_update AFTER UPDATE OF title ON articles BEGIN
	UPDATE owner_search SET title = new.title, words = new.title WHERE rowid = 1099511627776 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 1099511627776 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 1099511627776 + new.id WHERE 1099511627776 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_articles_delete AFTER DELETE ON articles BEGIN
	DELETE FROM owner_search WHERE rowid = 1099511627776 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 1099511627776 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (2199023255552 + new.id, new.title, new.title);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 2199023255552 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 2199023255552 + new.id WHERE 2199023255552 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_update AFTER UPDATE OF title ON episodes BEGIN
	UPDATE owner_search SET title = new.title, words = new.title WHERE rowid = 2199023255552 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 2199023255552 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 2199023255552 + new.id WHERE 2199023255552 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM owner_search WHERE rowid = 2199023255552 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 2199023255552 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (3298534883328 + new.id, new.title, new.title);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 3298534883328 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 3298534883328 + new.id WHERE 3298534883328 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_update AFTER UPDATE OF title ON press_items BEGIN
	UPDATE owner_search SET title = new.title, words = new.title WHERE rowid = 3298534883328 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 3298534883328 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 3298534883328 + new.id WHERE 3298534883328 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM owner_search WHERE rowid = 3298534883328 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 3298534883328 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_insert AFTER INSERT ON campaigns BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (4398046511104 + new.id, new.title, new.title);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 4398046511104 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 4398046511104 + new.id WHERE 4398046511104 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_update AFTER UPDATE OF title ON campaigns BEGIN
	UPDATE owner_search SET title = new.title, words = new.title WHERE rowid = 4398046511104 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 4398046511104 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 4398046511104 + new.id WHERE 4398046511104 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_delete AFTER DELETE ON campaigns BEGIN
	DELETE FROM owner_search WHERE rowid = 4398046511104 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 4398046511104 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_insert AFTER INSERT ON ventures BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (5497558138880 + new.id, new.name, new.name);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 5497558138880 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 5497558138880 + new.id WHERE 5497558138880 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_update AFTER UPDATE OF name ON ventures BEGIN
	UPDATE owner_search SET title = new.name, words = new.name WHERE rowid = 5497558138880 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 5497558138880 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 5497558138880 + new.id WHERE 5497558138880 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_delete AFTER DELETE ON ventures BEGIN
	DELETE FROM owner_search WHERE rowid = 5497558138880 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 5497558138880 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_insert AFTER INSERT ON engagements BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (6597069766656 + new.id, new.title, new.title);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 6597069766656 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 6597069766656 + new.id WHERE 6597069766656 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_update AFTER UPDATE OF title ON engagements BEGIN
	UPDATE owner_search SET title = new.title, words = new.title WHERE rowid = 6597069766656 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 6597069766656 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 6597069766656 + new.id WHERE 6597069766656 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_delete AFTER DELETE ON engagements BEGIN
	DELETE FROM owner_search WHERE rowid = 6597069766656 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 6597069766656 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_categories_insert AFTER INSERT ON categories BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (7696581394432 + new.id, new.name, new.name);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 7696581394432 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 7696581394432 + new.id WHERE 7696581394432 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_categories_update AFTER UPDATE OF name ON categories BEGIN
	UPDATE owner_search SET title = new.name, words = new.name WHERE rowid = 7696581394432 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 7696581394432 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 7696581394432 + new.id WHERE 7696581394432 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_categories_delete AFTER DELETE ON categories BEGIN
	DELETE FROM owner_search WHERE rowid = 7696581394432 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 7696581394432 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_letters_insert AFTER INSERT ON letters BEGIN
	INSERT INTO owner_search (rowid, title, words) VALUES (8796093022208 + new.id, new.subject, new.subject);
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 8796093022208 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 8796093022208 + new.id WHERE 8796093022208 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_letters_update AFTER UPDATE OF subject ON letters BEGIN
	UPDATE owner_search SET title = new.subject, words = new.subject WHERE rowid = 8796093022208 + new.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 8796093022208 + new.id;
	INSERT INTO search_pending (target, row) SELECT 'owner_search', 8796093022208 + new.id WHERE 8796093022208 + new.id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER owner_search_letters_delete AFTER DELETE ON letters BEGIN
	DELETE FROM owner_search WHERE rowid = 8796093022208 + old.id;
	DELETE FROM search_pending WHERE target = 'owner_search' AND row = 8796093022208 + old.id;
END;--> statement-breakpoint
CREATE TRIGGER search_episodes_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'episode', id, slug, published_at, title, description, (SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people)), show_notes_text
	FROM episodes WHERE status = 'published' AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_episodes_update AFTER UPDATE OF title, description, people, show_notes_text, slug, published_at, status ON episodes BEGIN
	DELETE FROM search_documents WHERE kind = 'episode' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'episode', id, slug, published_at, title, description, (SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people)), show_notes_text
	FROM episodes WHERE status = 'published' AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_episodes_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM search_documents WHERE kind = 'episode' AND item_id = old.id;
END;--> statement-breakpoint
CREATE TRIGGER search_articles_insert AFTER INSERT ON articles BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'essay', id, slug, published_at, title, excerpt, (SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags)), content_text
	FROM articles WHERE status = 'published' AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_articles_update AFTER UPDATE OF title, excerpt, tags, content_text, slug, published_at, status ON articles BEGIN
	DELETE FROM search_documents WHERE kind = 'essay' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'essay', id, slug, published_at, title, excerpt, (SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags)), content_text
	FROM articles WHERE status = 'published' AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_articles_delete AFTER DELETE ON articles BEGIN
	DELETE FROM search_documents WHERE kind = 'essay' AND item_id = old.id;
END;--> statement-breakpoint
CREATE TRIGGER search_press_items_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'press', id, '', date, title, summary, outlet, content_text
	FROM press_items WHERE published = 1 AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_press_items_update AFTER UPDATE OF title, summary, outlet, content_text, date, published ON press_items BEGIN
	DELETE FROM search_documents WHERE kind = 'press' AND item_id = old.id;
	INSERT INTO search_documents (kind, item_id, slug, date, title, summary, names, body)
	SELECT 'press', id, '', date, title, summary, outlet, content_text
	FROM press_items WHERE published = 1 AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER search_press_items_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM search_documents WHERE kind = 'press' AND item_id = old.id;
END;
