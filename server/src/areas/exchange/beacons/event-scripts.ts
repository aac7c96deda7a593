import type { Script } from "../../../platform/redis/shared-redis.ts";
import { STILL_READING } from "../campaigns/cap-scripts.ts";

/** Set while the events of earlier epochs are in Redis. */
export const READY = "seen:ready";
/** The hash of a process's claims: their owners by the events' names. */
export const pendingKey = (process: string): string => `seen:pending:${process}`;

/**
 * Stored events have an empty value, claimed ones their owner. A hash has so few fields that Redis keeps it compact: about
 * 20 bytes an event. All are claimed, or none: 1 is stored, 2 is not known now.
 */
export const CLAIM: Script = {
  name: "claimEvents",
  lua: `
local ready = redis.call('EXISTS', KEYS[2])
local owner, since, life = ARGV[2], tonumber(ARGV[3]), ARGV[4]
local out, isFree = {}, true
for n = 1, (#KEYS - 3) / 2 do
  local at = 2 + n * 3
  local value = redis.call('HGET', KEYS[2 + n * 2], ARGV[at])
  if ready == 1 and not value then value = redis.call('HGET', KEYS[3 + n * 2], ARGV[at]) end
  if value == '' then out[n] = 1
  elseif value then out[n] = 2
  elseif ready == 0 and tonumber(ARGV[at + 1]) <= since then out[n] = 2
  else out[n] = 0 end
  if out[n] ~= 0 then isFree = false end
end
if not isFree then return out end
for n = 1, (#KEYS - 3) / 2 do
  local at = 2 + n * 3
  redis.call('HSET', KEYS[2 + n * 2], ARGV[at], owner)
  redis.call('PEXPIRE', KEYS[2 + n * 2], life)
  redis.call('HSET', KEYS[3], ARGV[at + 2], owner)
end
redis.call('PEXPIRE', KEYS[3], life)
return out`,
};

/** Settles a claim: the stored events come first. Those of another claim are left alone. */
export const SETTLE: Script = {
  name: "settleEvents",
  lua: `
local owner, stored, life = ARGV[2], tonumber(ARGV[3]), ARGV[4]
for n = 1, #KEYS - 2 do
  local key, field, name = KEYS[2 + n], ARGV[3 + n * 2], ARGV[4 + n * 2]
  if redis.call('HGET', KEYS[2], name) == owner then redis.call('HDEL', KEYS[2], name) end
  if n <= stored then
    redis.call('HSET', key, field, '')
    redis.call('PEXPIRE', key, life)
  elseif redis.call('HGET', key, field) == owner then redis.call('HDEL', key, field) end
end`,
};

export const LOOK: Script = {
  name: "lookAtEvent",
  lua: `
if redis.call('HGET', KEYS[2], ARGV[2]) == '' then return 1 end
if redis.call('EXISTS', KEYS[4]) == 0 and tonumber(ARGV[3]) <= tonumber(ARGV[4]) then return 2 end
return redis.call('HEXISTS', KEYS[3], ARGV[2])`,
};

export const PENDING: Script = { name: "pendingEvents", lua: "return redis.call('HGETALL', KEYS[2])" };

/** The lock of the process that restores the events. */
export const LOCK: Script = {
  name: "lockRestoring",
  lua: "return redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0",
};
/** Keys: the lock and a hash per event. Arguments: who reads, for how long at most, the events' lifetime, their fields. */
export const LOAD: Script = {
  name: "loadEvents",
  lua: `
${STILL_READING}
redis.call('PEXPIRE', KEYS[2], ARGV[3])
for n = 3, #KEYS do
  redis.call('HSET', KEYS[n], ARGV[n + 2], '')
  redis.call('PEXPIRE', KEYS[n], ARGV[4])
end
return 1`,
};
/** Keys: the lock and the mark. Arguments: who reads, whether it is done, and the mark's lifetime. */
export const FINISH: Script = {
  name: "finishRestoring",
  lua: `
${STILL_READING}
if ARGV[3] == '1' then redis.call('SET', KEYS[3], '1', 'PX', ARGV[4]) end
redis.call('DEL', KEYS[2])
return 1`,
};
export const IS_READY: Script = { name: "isRestored", lua: "return redis.call('EXISTS', KEYS[2])" };
