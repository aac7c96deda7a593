-- Line items: publishers' agreements with sellers that take no bid requests. Amounts are micro-dollars.
CREATE TABLE line_items (
    -- Shared with campaigns, so that a number in statistics means one of them.
    id integer PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('campaigns', 'id')),
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    name text NOT NULL,
    format text NOT NULL,
    -- Names of zones; empty for all.
    zones text[] NOT NULL,
    enabled boolean NOT NULL,
    -- What is tried: {kind: vast, url}, {kind: html, html, size} or {kind: sdk, adapter, params}.
    source jsonb NOT NULL,
    -- [{country, price}]: the CPM that its owner states, for every other country where `country` is null.
    prices jsonb NOT NULL,
    -- IAB Global Vendor List id of the seller.
    gvl_id integer,
    created_at timestamptz NOT NULL
);
-- An import of prices names line items.
CREATE UNIQUE INDEX line_items_name ON line_items (app_id, lower(name));

CREATE TRIGGER line_items_inserted AFTER INSERT ON line_items REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('app', 'app_id');
CREATE TRIGGER line_items_updated AFTER UPDATE ON line_items REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('app', 'app_id');
CREATE TRIGGER line_items_deleted AFTER DELETE ON line_items REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('app', 'app_id');
CREATE TRIGGER line_items_truncated AFTER TRUNCATE ON line_items
    FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();

-- Their ads are counted under this name.
ALTER TABLE partners ADD CONSTRAINT partners_id_is_no_line_item CHECK (id !~ '^line-items(-|$)') NOT VALID;
