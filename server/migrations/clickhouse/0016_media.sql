-- The media that an imp takes: banner, video, native, audio. Rows from before this file have the usual one of their format.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS media Array(LowCardinality(String))
    DEFAULT multiIf(format IN ('video', 'rewarded'), ['video'], format = 'native', ['native'], format = 'audio', ['audio'], ['banner']);
