-- Campaigns and creatives of the format video, and what is known of an uploaded video:
-- {duration_ms, bitrate_kbps, codecs, plays}.
ALTER TABLE campaigns DROP CONSTRAINT campaigns_format_check,
    ADD CHECK (format IN ('image', 'banner', 'video'));
ALTER TABLE creatives DROP CONSTRAINT creatives_format_check,
    ADD CHECK (format IN ('image', 'banner', 'video')),
    -- Its headline as a native ad.
    ADD title text NOT NULL DEFAULT '',
    -- When a video may be skipped, in seconds; 0 for never.
    ADD skip_timer smallint NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD video jsonb;
