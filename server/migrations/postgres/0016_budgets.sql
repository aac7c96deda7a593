-- What campaigns have spent, and the leases on what they may still spend. Amounts are micro-dollars, days are UTC.
-- Whoever changes money locks the account's row first, so that all sums of an account change one after the other. The
-- rows outlive deleted campaigns and accounts.
CREATE TABLE account_budgets (
    account_id integer PRIMARY KEY REFERENCES accounts,
    spent_micros bigint NOT NULL DEFAULT 0 CHECK (spent_micros >= 0),
    -- The unspent part of the account's leases, including expired ones that have not been returned yet.
    leased_micros bigint NOT NULL DEFAULT 0 CHECK (leased_micros >= 0)
);

CREATE TABLE campaign_budgets (
    campaign_id integer PRIMARY KEY REFERENCES campaigns,
    account_id integer NOT NULL REFERENCES account_budgets,
    spent_micros bigint NOT NULL DEFAULT 0 CHECK (spent_micros >= 0),
    leased_micros bigint NOT NULL DEFAULT 0 CHECK (leased_micros >= 0)
);
CREATE INDEX campaign_budgets_account ON campaign_budgets (account_id);

CREATE TABLE campaign_days (
    campaign_id integer NOT NULL REFERENCES campaign_budgets,
    day date NOT NULL,
    spent_micros bigint NOT NULL CHECK (spent_micros >= 0),
    PRIMARY KEY (campaign_id, day)
);

-- What a process may hold without asking again. The id begins with the name of its process.
CREATE TABLE budget_leases (
    id text PRIMARY KEY,
    campaign_id integer NOT NULL REFERENCES campaign_budgets,
    account_id integer NOT NULL REFERENCES account_budgets,
    amount_micros bigint NOT NULL,
    spent_micros bigint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL,
    CHECK (spent_micros BETWEEN 0 AND amount_micros)
);
CREATE INDEX budget_leases_account ON budget_leases (account_id, expires_at);

-- The last batch of each process and how much of it was billed, so that a batch that is sent again counts once.
CREATE TABLE budget_processes (
    id text PRIMARY KEY,
    batch bigint NOT NULL,
    billed integer[] NOT NULL,
    at timestamptz NOT NULL
);

CREATE FUNCTION ledger_balance(of_account integer) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(-sum(amount_micros), 0)::bigint FROM ledger_lines
    WHERE account_id = of_account AND book = 'campaign_balance'
$$;

-- Locks accounts and then campaigns, in the order of their ids. An edit of a campaign waits for it, and it for an edit.
CREATE FUNCTION lock_budgets(of_campaigns integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM account_budgets a
    WHERE a.account_id IN (SELECT c.account_id FROM campaigns c WHERE c.id = ANY(of_campaigns))
    ORDER BY a.account_id FOR UPDATE;
    PERFORM FROM campaigns c WHERE c.id = ANY(of_campaigns) ORDER BY c.id FOR SHARE;
END $$;

-- Takes unspent money out of leases. The caller has locked their accounts.
CREATE FUNCTION return_to_budgets(from_leases text[], returned_micros bigint[]) RETURNS void LANGUAGE sql AS $$
    WITH returned AS (
        SELECT l.id, l.campaign_id, l.account_id, r.micros
        FROM unnest(from_leases, returned_micros) AS r(id, micros) JOIN budget_leases l ON l.id = r.id
    ), leases AS (
        UPDATE budget_leases l SET amount_micros = l.amount_micros - r.micros FROM returned r WHERE l.id = r.id
    ), campaigns AS (
        UPDATE campaign_budgets b SET leased_micros = b.leased_micros - r.micros
        FROM (SELECT campaign_id, sum(micros) AS micros FROM returned GROUP BY campaign_id) r
        WHERE b.campaign_id = r.campaign_id
    )
    UPDATE account_budgets a SET leased_micros = a.leased_micros - r.micros
    FROM (SELECT account_id, sum(micros) AS micros FROM returned GROUP BY account_id) r
    WHERE a.account_id = r.account_id
$$;

-- Grants a lease to each campaign asked for, in multiples of `least_micros`: at most a quarter of what is left, so that
-- processes share it, but at least one. `lack` says which limit leaves less. A lease that exists is granted again.
CREATE FUNCTION lease_budgets(
    asked_leases text[], asked_campaigns integer[], asked_micros bigint[], least_micros bigint[],
    life interval, given_at timestamptz
) RETURNS TABLE (nth bigint, granted bigint, lack text, owner integer, today bigint, total bigint) LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz;
    of_accounts integer[];
    ask record;
    rest record;
    least_rest bigint;
BEGIN
    SELECT array_agg(DISTINCT c.account_id) INTO of_accounts FROM campaigns c WHERE c.id = ANY(asked_campaigns);
    INSERT INTO account_budgets (account_id)
    SELECT u.id FROM unnest(of_accounts) AS u(id)
    WHERE NOT EXISTS (SELECT FROM account_budgets a WHERE a.account_id = u.id)
    ORDER BY u.id ON CONFLICT DO NOTHING;
    PERFORM lock_budgets(asked_campaigns);
    INSERT INTO campaign_budgets (campaign_id, account_id)
    SELECT c.id, c.account_id FROM campaigns c
    WHERE c.id = ANY(asked_campaigns) AND NOT EXISTS (SELECT FROM campaign_budgets b WHERE b.campaign_id = c.id);
    -- After waiting for the locks, not before.
    moment := coalesce(given_at, clock_timestamp());
    PERFORM return_to_budgets(array_agg(l.id), array_agg(l.amount_micros - l.spent_micros))
    FROM budget_leases l WHERE l.account_id = ANY(of_accounts) AND l.expires_at <= moment HAVING count(*) > 0;
    DELETE FROM budget_leases l WHERE l.account_id = ANY(of_accounts) AND l.expires_at <= moment;

    FOR ask IN
        SELECT u.nth, u.lease, u.micros, u.at_least, c.id AS campaign, c.account_id AS account
        FROM unnest(asked_leases, asked_campaigns, asked_micros, least_micros)
            WITH ORDINALITY AS u(lease, campaign, micros, at_least, nth)
        JOIN campaigns c ON c.id = u.campaign ORDER BY c.account_id, c.id
    LOOP
        SELECT CASE WHEN c.deleted_at IS NOT NULL THEN 0 WHEN c.budget_micros = 0 THEN 9007199254740991
                   ELSE c.budget_micros - b.spent_micros - b.leased_micros END AS budget,
               c.daily_micros - coalesce(d.spent_micros, 0) - b.leased_micros AS daily,
               ledger_balance(ask.account) - a.spent_micros - a.leased_micros AS balance,
               coalesce(d.spent_micros, 0) AS today, b.spent_micros AS total
        INTO rest
        FROM campaigns c JOIN campaign_budgets b ON b.campaign_id = c.id
        JOIN account_budgets a ON a.account_id = c.account_id
        LEFT JOIN campaign_days d ON d.campaign_id = c.id AND d.day = (moment AT TIME ZONE 'UTC')::date
        WHERE c.id = ask.campaign;
        nth := ask.nth;
        owner := ask.account;
        today := rest.today;
        total := rest.total;
        lack := NULL;
        UPDATE budget_leases l SET expires_at = moment + life WHERE l.id = ask.lease RETURNING l.amount_micros INTO granted;
        IF granted IS NULL THEN
            least_rest := least(rest.budget, rest.daily, rest.balance);
            IF least_rest < ask.at_least THEN
                granted := 0;
                lack := CASE least_rest WHEN rest.budget THEN 'budget_spent' WHEN rest.daily THEN 'daily_budget_spent'
                            ELSE 'balance_spent' END;
            ELSE
                granted := least(greatest(ask.micros, ask.at_least), greatest(ask.at_least, least_rest / 4));
                granted := granted - granted % ask.at_least;
                INSERT INTO budget_leases (id, campaign_id, account_id, amount_micros, expires_at)
                VALUES (ask.lease, ask.campaign, ask.account, granted, moment + life);
                UPDATE campaign_budgets b SET leased_micros = b.leased_micros + granted
                WHERE b.campaign_id = ask.campaign;
                UPDATE account_budgets a SET leased_micros = a.leased_micros + granted
                WHERE a.account_id = ask.account;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;

-- Reduces leases to what is still held of them; those of which nothing is held end.
CREATE FUNCTION shrink_leases(of_leases text[], held_micros bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM account_budgets a
    WHERE a.account_id IN (SELECT l.account_id FROM budget_leases l WHERE l.id = ANY(of_leases))
    ORDER BY a.account_id FOR UPDATE;
    PERFORM return_to_budgets(array_agg(l.id), array_agg(l.amount_micros - l.spent_micros - h.held))
    FROM unnest(of_leases, held_micros) AS h(id, held) JOIN budget_leases l ON l.id = h.id
    WHERE l.amount_micros - l.spent_micros > h.held HAVING count(*) > 0;
    DELETE FROM budget_leases l USING unnest(of_leases, held_micros) AS h(id, held) WHERE l.id = h.id AND h.held = 0;
END $$;

-- Bills impressions of one UTC day in groups of the same campaign, lease and price. Returns how many of each group were
-- billed, and what its campaign has spent then. Negative counts take back what was billed before.
CREATE FUNCTION spend_budgets(
    by_process text, by_batch bigint, on_day date,
    of_campaigns integer[], of_leases text[], each_micros bigint[], counts integer[], given_at timestamptz
) RETURNS TABLE (nth bigint, billed integer, today bigint, total bigint) LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz;
    last record;
    results integer[] := array_fill(0, ARRAY[cardinality(counts)]);
    imps record;
    last_account integer;
    last_campaign integer;
    last_lease text;
    spending bigint;
    from_account bigint := 0;
    from_campaign bigint := 0;
    from_lease bigint := 0;
BEGIN
    INSERT INTO budget_processes (id, batch, billed, at) VALUES (by_process, 0, '{}', clock_timestamp())
    ON CONFLICT DO NOTHING;
    SELECT p.batch, p.billed INTO last FROM budget_processes p WHERE p.id = by_process FOR UPDATE;
    IF by_batch < last.batch THEN RAISE EXCEPTION 'batch % comes after batch %', by_batch, last.batch; END IF;
    IF by_batch = last.batch THEN
        results := last.billed;
    ELSE
        PERFORM lock_budgets(of_campaigns);
        moment := coalesce(given_at, clock_timestamp());
        FOR imps IN
            WITH balances AS MATERIALIZED (
                SELECT a.account_id, ledger_balance(a.account_id) - a.spent_micros AS micros FROM account_budgets a
                WHERE a.account_id IN (SELECT c.account_id FROM campaigns c WHERE c.id = ANY(of_campaigns))
            )
            SELECT u.nth, u.micros, u.count, c.account_id AS account, c.id AS campaign, u.lease,
                   CASE WHEN l.expires_at > moment THEN l.amount_micros - l.spent_micros ELSE 0 END AS lease_rest,
                   CASE c.budget_micros WHEN 0 THEN 9007199254740991 ELSE c.budget_micros - b.spent_micros END
                       AS budget_rest,
                   c.daily_micros - coalesce(d.spent_micros, 0) AS daily_rest, p.micros AS balance,
                   coalesce(d.spent_micros, 0) AS day_spent, coalesce(l.spent_micros, d.spent_micros, 0) AS lease_spent
            FROM unnest(of_campaigns, of_leases, each_micros, counts)
                WITH ORDINALITY AS u(campaign, lease, micros, count, nth)
            JOIN campaigns c ON c.id = u.campaign JOIN campaign_budgets b ON b.campaign_id = c.id
            JOIN balances p ON p.account_id = c.account_id
            LEFT JOIN campaign_days d ON d.campaign_id = c.id AND d.day = on_day
            LEFT JOIN budget_leases l ON l.id = u.lease AND l.campaign_id = c.id
            ORDER BY c.account_id, c.id, u.lease, u.nth
        LOOP
            IF imps.account IS DISTINCT FROM last_account THEN from_account := 0; END IF;
            IF imps.campaign IS DISTINCT FROM last_campaign THEN from_campaign := 0; last_lease := NULL; END IF;
            IF imps.lease IS DISTINCT FROM last_lease THEN from_lease := 0; END IF;
            IF imps.count > 0 THEN
                spending := imps.micros * least(imps.count, greatest(0, least(
                    imps.lease_rest - from_lease, imps.budget_rest - from_campaign, imps.daily_rest - from_campaign,
                    imps.balance - from_account
                )) / imps.micros);
            ELSE
                spending := -imps.micros * least(-imps.count, greatest(0, least(
                    imps.lease_spent + from_lease, imps.day_spent + from_campaign
                )) / imps.micros);
            END IF;
            results[imps.nth] := spending / imps.micros;
            from_account := from_account + spending;
            from_campaign := from_campaign + spending;
            from_lease := from_lease + spending;
            last_account := imps.account;
            last_campaign := imps.campaign;
            last_lease := imps.lease;
        END LOOP;

        INSERT INTO campaign_days (campaign_id, day, spent_micros)
        SELECT b.campaign_id, on_day, 0 FROM campaign_budgets b
        WHERE b.campaign_id = ANY(of_campaigns) ORDER BY b.campaign_id ON CONFLICT DO NOTHING;
        -- What was taken back of a lease that is over is nobody's until it is leased again.
        WITH spent AS (
            SELECT b.campaign_id, b.account_id, l.id AS lease, sum(u.micros * u.billed)::bigint AS micros
            FROM unnest(of_campaigns, of_leases, each_micros, results) AS u(campaign, lease, micros, billed)
            JOIN campaign_budgets b ON b.campaign_id = u.campaign
            LEFT JOIN budget_leases l ON l.id = u.lease AND l.campaign_id = u.campaign
            WHERE u.billed <> 0 GROUP BY b.campaign_id, b.account_id, l.id
        ), by_campaign AS (
            SELECT campaign_id, account_id, sum(micros) AS micros,
                   coalesce(sum(micros) FILTER (WHERE lease IS NOT NULL), 0) AS leased
            FROM spent GROUP BY campaign_id, account_id
        ), leases AS (
            UPDATE budget_leases l SET spent_micros = l.spent_micros + s.micros FROM spent s WHERE l.id = s.lease
        ), days AS (
            UPDATE campaign_days d SET spent_micros = d.spent_micros + s.micros FROM by_campaign s
            WHERE d.campaign_id = s.campaign_id AND d.day = on_day
        ), campaigns AS (
            UPDATE campaign_budgets b
            SET spent_micros = b.spent_micros + s.micros, leased_micros = b.leased_micros - s.leased
            FROM by_campaign s WHERE b.campaign_id = s.campaign_id
        )
        UPDATE account_budgets a
        SET spent_micros = a.spent_micros + s.micros, leased_micros = a.leased_micros - s.leased
        FROM (
            SELECT account_id, sum(micros) AS micros, sum(leased) AS leased FROM by_campaign GROUP BY account_id
        ) s WHERE a.account_id = s.account_id;
        UPDATE budget_processes p SET batch = by_batch, billed = results, at = clock_timestamp()
        WHERE p.id = by_process;
    END IF;
    RETURN QUERY
        SELECT u.nth, u.billed, coalesce(d.spent_micros, 0), coalesce(b.spent_micros, 0)
        FROM unnest(of_campaigns, results) WITH ORDINALITY AS u(campaign, billed, nth)
        LEFT JOIN campaign_budgets b ON b.campaign_id = u.campaign
        LEFT JOIN campaign_days d ON d.campaign_id = u.campaign AND d.day = on_day;
END $$;

-- Tells the serving processes that a limit or a balance has changed.
CREATE FUNCTION notify_budgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('budgets', CASE TG_TABLE_NAME WHEN 'campaigns' THEN 'campaign ' || (to_jsonb(NEW) ->> 'id')
                                     ELSE 'account ' || (to_jsonb(NEW) ->> 'account_id') END);
    RETURN NULL;
END $$;
CREATE TRIGGER campaign_limits_notify AFTER UPDATE OF budget_micros, daily_micros, deleted_at ON campaigns FOR EACH ROW
    WHEN ((OLD.budget_micros, OLD.daily_micros, OLD.deleted_at)
        IS DISTINCT FROM (NEW.budget_micros, NEW.daily_micros, NEW.deleted_at)) EXECUTE FUNCTION notify_budgets();
CREATE TRIGGER campaign_balance_notify AFTER INSERT ON ledger_lines FOR EACH ROW
    WHEN (NEW.book = 'campaign_balance') EXECUTE FUNCTION notify_budgets();
