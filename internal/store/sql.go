package store

// Everything that is asked of the database, in one place. The inserts end
// where the rows of values begin; see multi.

// What a store reads into memory. Ids come in ascending order. The two large
// tables come with two numbers a column: most of the time of a scan is spent
// on handing over columns.
const (
	selectNames     = `SELECT id, name FROM names ORDER BY id`
	selectArms      = `SELECT id, model, condition FROM arms ORDER BY id`
	selectMeasures  = `SELECT id, scale, grader FROM measures ORDER BY id`
	selectItems     = `SELECT id, task, attack FROM items ORDER BY id`
	selectResponses = `SELECT id, (arm << 32) | item, (replicate << 32) | (outcome * 2 + simulated) FROM responses ORDER BY id`
	selectLabels    = `SELECT (response << 32) | measure, value FROM labels ORDER BY response, measure, revision`

	selectItemFields  = `SELECT item, family, split, tier, NULL FROM item_details ORDER BY id`
	selectItemDetails = `SELECT item, family, split, tier, turns FROM item_details ORDER BY id`
	selectOutcomes    = `SELECT response, outcome, simulated FROM response_details ORDER BY id`
	selectDetails     = `SELECT response, outcome, simulated, decision, call, detail, withheld FROM response_details ORDER BY id`
	selectTextSums    = `SELECT response, text_sum, draft_sum, transcript_sum FROM texts INDEXED BY texts_of ORDER BY response, id`
	selectFileVersion = `PRAGMA data_version`
	selectLastImport  = `SELECT coalesce(max(id), 0) FROM imports`
	countOpenRows     = `SELECT count(*) FROM rating_rows WHERE id > (SELECT coalesce(max(rating_row), 0) FROM freezes)`
	selectShown       = `SELECT rating_row, response FROM row_responses ORDER BY rating_row, response`
	selectMarks       = `SELECT x.response, m.scale, r.rater, r.rating_row, m.value
		FROM marks m JOIN ratings r ON r.id = m.rating JOIN row_responses x ON x.rating_row = r.rating_row
		WHERE r.rating_row <= (SELECT coalesce(max(rating_row), 0) FROM freezes)
		ORDER BY x.response, m.scale, r.rater, r.rating_row, r.at, r.revision`
)

// What is fetched for some responses; a list of ids follows.
const (
	fetchDetails = `SELECT response, decision, call, detail, withheld FROM response_details WHERE response IN (%s) ORDER BY id`
	fetchTexts   = `SELECT response, text, draft, transcript, same FROM texts WHERE response IN (%s) ORDER BY id`
)

// What is added.
const (
	insertNames           = `INSERT INTO names (id, name) VALUES `
	insertArms            = `INSERT INTO arms (id, model, condition) VALUES `
	insertMeasures        = `INSERT INTO measures (id, scale, grader) VALUES `
	insertItems           = `INSERT INTO items (id, task, attack) VALUES `
	insertItemDetails     = `INSERT INTO item_details (item, family, split, tier, turns, origin) VALUES `
	insertResponses       = `INSERT INTO responses (id, arm, item, replicate, outcome, simulated, origin) VALUES `
	insertResponseDetails = `INSERT INTO response_details (response, outcome, simulated, decision, call, detail, withheld, origin) VALUES `
	insertTexts           = `INSERT INTO texts (response, text_sum, draft_sum, transcript_sum, text, draft, transcript, same, origin) VALUES `
	insertLabels          = `INSERT INTO labels (response, measure, revision, value, origin) VALUES `
	insertImports         = `INSERT INTO imports (id, file, sha256, format, at, supersede) VALUES `
	insertImportCounts    = `INSERT INTO import_counts (import, rows_read, responses, labels, marks, filled, superseded, unchanged) VALUES `
	insertCalls           = `INSERT INTO calls (digest, revision, attempts, text, stop, tokens_in, tokens_out, raw_hash, error,
		model, reasoning, reason, details, version, request_id, latency_ms, withheld) VALUES `
	insertAttempts = `INSERT INTO attempts (call, n, model, at, wait_ms, latency_ms, status, kind, headers,
		tokens_in, tokens_out, raw_hash, withheld, error) VALUES `
	insertBodies       = `INSERT OR IGNORE INTO bodies (sha256, zstd) VALUES `
	insertWithheld     = `INSERT INTO withheld (id, of, sha256, rules, at) VALUES `
	insertSealed       = `INSERT INTO sealed (id, bytes) VALUES `
	insertReleases     = `INSERT INTO releases (withheld, at, reviewers, error) VALUES `
	insertRatingRows   = `INSERT INTO rating_rows (id, name) VALUES `
	insertRowResponses = `INSERT INTO row_responses (rating_row, response) VALUES `
	insertRatings      = `INSERT INTO ratings (id, rating_row, rater, revision, at, note) VALUES `
	insertMarks        = `INSERT INTO marks (rating, scale, value) VALUES `
	insertFreezes      = `INSERT INTO freezes (rating_row) VALUES `
	insertMeta         = `INSERT INTO meta (study, digest, created) VALUES `
)

// What is looked up one at a time.
const (
	selectMeta    = `SELECT study, digest, created FROM meta ORDER BY id DESC LIMIT 1`
	selectVersion = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
	selectCall    = `SELECT revision, attempts, text, stop, tokens_in, tokens_out, raw_hash, error,
		model, reasoning, reason, details, version, request_id, latency_ms, withheld FROM calls WHERE digest = ? ORDER BY revision DESC LIMIT 1`
	selectNoCalls = `SELECT NOT EXISTS (SELECT 1 FROM calls) AND NOT EXISTS (SELECT 1 FROM attempts)`
	selectOrigins = `SELECT i.file, i.sha256, i.format, i.at, i.supersede, c.rows_read, c.responses, c.labels, c.marks,
		c.filled, c.superseded, c.unchanged FROM imports i JOIN import_counts c ON c.import = i.id ORDER BY i.id`
	selectRatingRow  = `SELECT id FROM rating_rows WHERE name = ?`
	selectShownBy    = `SELECT response FROM row_responses WHERE rating_row = ? ORDER BY response`
	selectOpenRows   = `SELECT name FROM rating_rows WHERE id > (SELECT coalesce(max(rating_row), 0) FROM freezes) ORDER BY id`
	selectLastRow    = `SELECT coalesce(max(id), 0) FROM rating_rows`
	selectLastFrozen = `SELECT coalesce(max(rating_row), 0) FROM freezes`
	selectLastRating = `SELECT coalesce(max(id), 0) FROM ratings`
	selectRatingsOf  = `SELECT id, revision, at, note FROM ratings WHERE rating_row = ? AND rater = ? ORDER BY revision`
	selectMarksOf    = `SELECT n.name, m.value FROM marks m JOIN names n ON n.id = m.scale WHERE m.rating = ? ORDER BY n.name`
)

// What is asked of attempts, bodies and what is withheld.
const (
	attemptRow = `a.call, a.n, a.model, a.at, a.wait_ms, a.latency_ms, a.status, a.kind, a.headers,
		a.tokens_in, a.tokens_out, a.raw_hash`
	selectAttempt = `SELECT ` + attemptRow + `, a.withheld, a.error FROM attempts a WHERE a.call = ? AND a.n = ?`
	attemptsFrom  = `SELECT ` + attemptRow + `, CASE WHEN r.id IS NULL THEN a.withheld ELSE '' END,
		coalesce(nullif(r.error, ''), a.error)
		FROM attempts a LEFT JOIN releases r ON r.withheld = a.withheld `
	selectAttempts   = attemptsFrom + `ORDER BY a.call, a.n`
	selectAttemptsOf = attemptsFrom + `WHERE a.call = ? ORDER BY a.n`
	selectBody       = `SELECT zstd FROM bodies WHERE sha256 = ?`
	selectBodies     = `SELECT sha256, zstd FROM bodies`
	selectWithheld   = `SELECT id, of, sha256, rules, at FROM withheld ORDER BY rowid`
	selectWithheldBy = `SELECT id, of, sha256, rules, at FROM withheld WHERE id = ?`
	selectSealed     = `SELECT bytes FROM sealed WHERE id = ?`
	selectReleases   = `SELECT withheld, at, reviewers FROM releases ORDER BY id`
	selectReleaseOf  = `SELECT id FROM releases WHERE withheld = ?`

	selectTried = `SELECT call, max(n) FROM attempts a
		WHERE NOT EXISTS (SELECT 1 FROM calls WHERE digest = a.call AND stop <> 'error') GROUP BY call`

	// What a provider refused over HTTP was not paid for.
	selectSpent = `SELECT model, sum(requests), sum(failed), sum(tokens_in), sum(tokens_out), sum(unknown) FROM (
		SELECT model, 1 AS requests, kind <> '' AS failed, tokens_in, tokens_out, tokens_in + tokens_out = 0 AND kind IN ('', 'transport', 'timeout', 'malformed', 'unread') AS unknown FROM attempts
		UNION ALL
		SELECT model, attempts, attempts - (stop <> 'error'), tokens_in, tokens_out, CASE tokens_in + tokens_out WHEN 0 THEN attempts ELSE attempts - 1 END
		FROM calls c WHERE revision = (SELECT max(revision) FROM calls WHERE digest = c.digest)
		AND NOT EXISTS (SELECT 1 FROM attempts WHERE call = c.digest)
		) GROUP BY model ORDER BY model`
	selectSpentBefore = `SELECT '', coalesce(sum(attempts), 0), coalesce(sum(attempts - (stop <> 'error')), 0), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0),
		coalesce(sum(CASE tokens_in + tokens_out WHEN 0 THEN attempts ELSE attempts - 1 END), 0)
		FROM calls c WHERE revision = (SELECT max(revision) FROM calls WHERE digest = c.digest)`
)

// What Check counts: rows that refer to what is not there.
const (
	countStrayWithheld = `SELECT (SELECT count(*) FROM calls WHERE withheld <> '' AND withheld NOT IN (SELECT id FROM withheld))
		+ (SELECT count(*) FROM attempts WHERE withheld <> '' AND withheld NOT IN (SELECT id FROM withheld))
		+ (SELECT count(*) FROM response_details WHERE withheld <> '' AND withheld NOT IN (SELECT id FROM withheld))`
	countGaps = `SELECT (SELECT coalesce(max(id), 0) - count(*) FROM attempts) + (SELECT coalesce(max(rowid), 0) - count(*) FROM bodies)
		+ (SELECT coalesce(max(rowid), 0) - count(*) FROM withheld) + (SELECT coalesce(max(rowid), 0) - count(*) FROM sealed)
		+ (SELECT coalesce(max(id), 0) - count(*) FROM releases)`
)
