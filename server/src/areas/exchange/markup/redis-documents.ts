import type { Script, SharedRedis } from "../../../platform/redis/shared-redis.ts";
import type { SharedDocuments } from "./markup-cache.ts";

const MOST_BYTES = 256 * 2 ** 20;

/** Beyond the most bytes, the oldest documents are dropped. */
const PUT: Script = {
  name: "putDocument",
  lua: `
local name = ARGV[2]
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
redis.call('RPUSH', KEYS[3], name .. ' ' .. #ARGV[3])
local bytes = redis.call('INCRBY', KEYS[4], #ARGV[3])
while bytes > tonumber(ARGV[5]) do
  local oldest = redis.call('LPOP', KEYS[3])
  if not oldest then break end
  local gone, size = string.match(oldest, '(%S+) (%d+)')
  redis.call('DEL', string.sub(KEYS[2], 1, #KEYS[2] - #name) .. gone)
  bytes = redis.call('DECRBY', KEYS[4], size)
end
redis.call('EXPIRE', KEYS[3], 86400)
redis.call('EXPIRE', KEYS[4], 86400)`,
};
const GET: Script = { name: "getDocument", lua: "return redis.call('GET', KEYS[2])" };

export const redisDocuments = (redis: SharedRedis, mostBytes = MOST_BYTES): SharedDocuments => ({
  put(name, document, ttlMs) {
    redis
      .run(PUT, [`vast:${name}`, "vast:names", "vast:bytes"], [name, document, ttlMs, mostBytes])
      .catch(() => undefined);
  },
  get: async (name) => (await redis.run(GET, [`vast:${name}`], [])) as string | null,
});
