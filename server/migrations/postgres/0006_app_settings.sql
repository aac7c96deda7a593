ALTER TABLE apps
    ADD COLUMN is_gaming boolean NOT NULL DEFAULT false,
    -- Meant for adults: advertisers who avoid that are not asked, and kids' rules do not apply.
    ADD COLUMN adult boolean NOT NULL DEFAULT false,
    ADD COLUMN only_image boolean NOT NULL DEFAULT false,
    ADD COLUMN muted boolean NOT NULL DEFAULT false,
    -- Advertising ids of the publisher's own devices, in lower case: their ads are tests.
    ADD COLUMN test_devices text[] NOT NULL DEFAULT '{}',
    -- The store's own id of a published app, by which the same app is not added twice.
    ADD COLUMN store_id text;

ALTER TABLE accounts
    ADD COLUMN developer_domain text,
    -- Left unnamed in sellers.json.
    ADD COLUMN is_confidential boolean NOT NULL DEFAULT true;

-- Lines of app-ads.txt that the partner asks publishers for; {key} stands for a key that the publisher has entered.
ALTER TABLE partners ADD COLUMN app_ads_lines text[] NOT NULL DEFAULT '{}';

-- Keys are sealed; what stood in `keys` before is sealed by the platform's next start and emptied.
ALTER TABLE partner_keys ADD COLUMN sealed bytea, ALTER COLUMN keys DROP NOT NULL;

-- An app that is being looked up in its store.
CREATE TABLE app_lookups (
    qid text PRIMARY KEY,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    url text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'working', 'done', 'unreachable')),
    items jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL
);
CREATE INDEX app_lookups_created ON app_lookups (created_at);

DROP TRIGGER apps_changed ON apps;
CREATE TRIGGER apps_changed AFTER INSERT OR DELETE OR UPDATE OF name, bundle_id, platform, in_dev, moderation, kids,
    blocked_categories, blocked_domains, deleted_at, is_gaming, adult, only_image, muted, test_devices, url
    ON apps FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
