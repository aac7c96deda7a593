import type { Script } from "../../../platform/redis/shared-redis.ts";

// The keys of each: the campaign's state, its held ads, the device's held ads, and the counts of the day and the hour, in
// all and of the device. A campaign's counts are in force once its state is `read`.

const COUNTS = `
local counts = {redis.call('GET', KEYS[5]), redis.call('GET', KEYS[6]),
  redis.call('HGET', KEYS[7], device), redis.call('HGET', KEYS[8], device)}
local function fits(nth, limit, held)
  return limit == 0 or tonumber(counts[nth] or '0') + held < limit
end`;

const FREE_HOLD = `
local function free(device, expires)
  for n = 0, 63 do
    if redis.call('ZREM', KEYS[4], expires .. ':' .. n) == 1 then
      return redis.call('ZREM', KEYS[3], device .. ':' .. expires .. ':' .. n)
    end
  end
end`;

const ADD_HOLD = `
local function hold(device, expires)
  local n = 0
  while redis.call('ZADD', KEYS[4], 'NX', expires, expires .. ':' .. n) == 0 do n = n + 1 end
  redis.call('ZADD', KEYS[3], expires, device .. ':' .. expires .. ':' .. n)
  redis.call('EXPIRE', KEYS[3], 3600)
  redis.call('EXPIRE', KEYS[4], 3600)
end`;

const NOT_READ = `redis.call('SET', KEYS[2], 'asked', 'NX', 'EX', 172800)`;

/** Arguments: the device, the moment, when the hold expires, and the four limits, 0 for none. 0 is not read, 1 full, 2 held. */
export const RESERVE: Script = {
  name: "reserveCap",
  lua: `
if redis.call('GET', KEYS[2]) ~= 'read' then ${NOT_READ} return 0 end
local device, now, expires = ARGV[2], ARGV[3], ARGV[4]
redis.call('EXPIRE', KEYS[2], 172800)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
local all, own = redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4])
${COUNTS}
for nth = 1, 4 do
  if not fits(nth, tonumber(ARGV[4 + nth]), nth <= 2 and all or own) then return 1 end
end
${ADD_HOLD}
hold(device, expires)
return 2`,
};

export const RELEASE: Script = { name: "releaseCap", lua: `${FREE_HOLD}\nfree(ARGV[2], ARGV[4])` };

/** Also: how long the counts of the day and the hour are kept, in seconds. 0 is not read, 1 over a cap, 2 shown. */
export const SHOWN: Script = {
  name: "countShown",
  lua: `
local state = redis.call('GET', KEYS[2])
local isCapped = ARGV[5] .. ARGV[6] .. ARGV[7] .. ARGV[8] ~= '0000'
if not state and not isCapped then return 2 end
if state ~= 'read' then ${NOT_READ} return 0 end
local device = ARGV[2]
${FREE_HOLD}
free(device, ARGV[4])
${COUNTS}
for nth = 1, 4 do
  if not fits(nth, tonumber(ARGV[4 + nth]), 0) then return 1 end
end
redis.call('EXPIRE', KEYS[2], 172800)
redis.call('INCR', KEYS[5])
redis.call('INCR', KEYS[6])
redis.call('HINCRBY', KEYS[7], device, 1)
redis.call('HINCRBY', KEYS[8], device, 1)
for nth = 5, 8 do redis.call('EXPIRE', KEYS[nth], ARGV[9 + (nth - 5) % 2]) end
return 2`,
};

export const UNSHOW: Script = {
  name: "uncountShown",
  lua: `
if redis.call('GET', KEYS[2]) ~= 'read' then return end
local device = ARGV[2]
for nth = 5, 6 do if tonumber(redis.call('GET', KEYS[nth]) or '0') > 0 then redis.call('DECR', KEYS[nth]) end end
for nth = 7, 8 do
  if tonumber(redis.call('HGET', KEYS[nth], device) or '0') > 0 then redis.call('HINCRBY', KEYS[nth], device, -1) end
end
${ADD_HOLD}
hold(device, ARGV[4])`,
};

/** Keys: the campaign's state and the lock. Arguments: who reads, and for how long at most. */
export const START_READING: Script = {
  name: "startReadingCaps",
  lua: `
if redis.call('GET', KEYS[2]) == 'read' then return 0 end
${NOT_READ}
return redis.call('SET', KEYS[3], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 2`,
};

/** A reader that took too long has lost the lock, its first key, and what it read is outdated. */
export const STILL_READING = "if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end";

/**
 * Keys: the lock, counts in all, then hashes of devices. Arguments: who reads, for how long at most, how many counts in
 * all there are, and for each its lifetime in seconds, the device unless it is in all, and the count. 0 if the lock is lost.
 */
export const LOAD_COUNTS: Script = {
  name: "loadCapCounts",
  lua: `
${STILL_READING}
redis.call('PEXPIRE', KEYS[2], ARGV[3])
local totals = tonumber(ARGV[4])
local at = 5
for n = 3, #KEYS do
  if n - 2 <= totals then
    redis.call('SET', KEYS[n], ARGV[at + 1], 'EX', ARGV[at])
    at = at + 2
  else
    redis.call('HSET', KEYS[n], ARGV[at + 1], ARGV[at + 2])
    redis.call('EXPIRE', KEYS[n], ARGV[at])
    at = at + 3
  end
end
return 1`,
};

/** Keys: the lock and the campaign's state. Arguments: who reads, and whether it is done. */
export const END_READING: Script = {
  name: "endReadingCaps",
  lua: `
${STILL_READING}
if ARGV[3] == '1' then redis.call('SET', KEYS[3], 'read', 'EX', 172800) end
redis.call('DEL', KEYS[2])
return 1`,
};
