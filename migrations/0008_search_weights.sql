-- A word in the title outdoes one in the summary or the names, and that one any number in the text: bm25 lets a weight
-- saturate, so that small ones are outdone by a word which fills a text.
INSERT INTO `search` (`search`, `rank`) VALUES ('rank', 'bm25(1000.0, 100.0, 100.0, 1.0)');
