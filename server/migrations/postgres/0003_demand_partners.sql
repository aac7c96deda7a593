-- A buyer as the operator set it up: which kind of bidder it is and where it listens.
CREATE TABLE partners (
    id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
    kind text NOT NULL,
    name text NOT NULL,
    endpoint text NOT NULL,
    media_types text[] NOT NULL,
    gvl_id integer,
    openrtb_version text NOT NULL DEFAULT '2.6',
    gzip boolean NOT NULL DEFAULT false,
    active boolean NOT NULL DEFAULT true,
    demo boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- A publisher's keys at a partner, by app and format (video or banner, which banner-like formats share).
CREATE TABLE partner_keys (
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    partner_id text NOT NULL REFERENCES partners ON DELETE CASCADE,
    format text NOT NULL CHECK (format IN ('video', 'banner')),
    keys jsonb NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    PRIMARY KEY (app_id, partner_id, format)
);

-- Whoever changes what the exchange decides by tells it; the exchange reads its snapshot anew.
CREATE FUNCTION config_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('config_changed', TG_TABLE_NAME);
    RETURN NULL;
END $$;
CREATE TRIGGER apps_changed AFTER INSERT OR DELETE OR UPDATE OF name, bundle_id, platform, in_dev, moderation, kids,
    blocked_categories, blocked_domains, deleted_at ON apps FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
CREATE TRIGGER zones_changed AFTER INSERT OR UPDATE OR DELETE ON zones FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
CREATE TRIGGER floors_changed AFTER INSERT OR UPDATE OR DELETE ON floors FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
CREATE TRIGGER partners_changed AFTER INSERT OR UPDATE OR DELETE ON partners FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
CREATE TRIGGER partner_keys_changed AFTER INSERT OR UPDATE OR DELETE ON partner_keys FOR EACH STATEMENT EXECUTE FUNCTION config_changed();
