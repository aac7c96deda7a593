-- SDK versions with a counted impression. A session says any version that its sender makes up; statistics list these alone.
CREATE TABLE IF NOT EXISTS shown_sdk_versions
(
    app_id UInt32,
    sdk_version LowCardinality(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (app_id, sdk_version);

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_shown_sdk_versions TO shown_sdk_versions AS
SELECT DISTINCT app_id, sdk_version
FROM events
WHERE kind = 'impression' AND invalid = '' AND sdk_version != '';

INSERT INTO shown_sdk_versions
SELECT DISTINCT app_id, sdk_version
FROM events
WHERE kind = 'impression' AND invalid = '' AND sdk_version != '';
