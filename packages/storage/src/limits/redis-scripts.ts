import { defineScript, type CommandParser } from '@redis/client'
import { FREE_FAILURES, LONGEST_DELAY_SECONDS } from './failure-delay.ts'

/**
 * Times are microseconds since 2025: counted from 1970 a double could not tell two of them apart finely enough for a
 * budget of millions. Redis's own clock is used, so nodes with different clocks share one budget.
 */
const EPOCH_SECONDS = 1_735_689_600

const CLOCK = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = (tonumber(time[1]) - ${EPOCH_SECONDS}) * 1000000 + tonumber(time[2])
end
`

/** One trip for any number of budgets. ARGV after the clock: limit, window in µs, cost, for each key. */
const TAKE = `${CLOCK}
local after = {}
local longest, refused = 0, 0
for i = 1, #KEYS do
  local limit = tonumber(ARGV[3 * i - 1])
  local window = tonumber(ARGV[3 * i])
  local cost = tonumber(ARGV[3 * i + 1])
  local full = tonumber(redis.call('GET', KEYS[i]) or 0)
  local next = math.max(now, full) + cost * window / limit
  local wait = next - now - window
  if wait > 1 and wait > longest then longest, refused = wait, i end
  after[i] = next
end
if refused > 0 then return { refused, math.ceil(longest / 1000000) } end
for i = 1, #KEYS do
  redis.call('SET', KEYS[i], string.format('%.17g', after[i]), 'PX', math.ceil((after[i] - now) / 1000) + 1000)
end
return { 0, 0 }
`

/** Undoes a take. A budget that is full by now has been forgotten, and needs nothing back. ARGV as for a take. */
const GIVE_BACK = `
for i = 1, #KEYS do
  local full = redis.call('GET', KEYS[i])
  if full then
    local share = tonumber(ARGV[3 * i + 1]) * tonumber(ARGV[3 * i]) / tonumber(ARGV[3 * i - 1])
    redis.call('SET', KEYS[i], string.format('%.17g', tonumber(full) - share), 'KEEPTTL')
  end
end
return 0
`

/** Counts one failure. ARGV after the clock: memory in seconds. Answers the count. */
const RECORD_FAILURE = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
local count = 1
if known[1] and now - tonumber(known[2]) < memory * 1000000 then count = tonumber(known[1]) + 1 end
redis.call('HSET', KEYS[1], 'count', count, 'last', string.format('%.17g', now))
redis.call('EXPIRE', KEYS[1], memory)
return count
`

/** Answers the remembered count and the microseconds since the last failure. */
const READ_FAILURES = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
if not known[1] then return { 0, 0 } end
local age = now - tonumber(known[2])
if age >= memory * 1000000 then return { 0, 0 } end
return { tonumber(known[1]), math.floor(age) }
`

/** Counts a failure ahead unless the key must wait. ARGV as for a failure. Answers the seconds to wait. */
const TAKE_TRY = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
local count, age = 0, 0
if known[1] and now - tonumber(known[2]) < memory * 1000000 then
  count, age = tonumber(known[1]), now - tonumber(known[2])
end
local delay = 0
if count > ${FREE_FAILURES} then delay = math.min(${LONGEST_DELAY_SECONDS}, 2 ^ (count - ${FREE_FAILURES} - 1)) end
local wait = math.ceil(delay - age / 1000000)
if wait > 0 then return wait end
redis.call('HSET', KEYS[1], 'count', count + 1, 'last', string.format('%.17g', now))
redis.call('EXPIRE', KEYS[1], memory)
return 0
`

/** Scripts as methods of the client, which sends the text only when Redis has not seen it yet. */
export const limiterScripts = {
  takeAll: defineScript({
    SCRIPT: TAKE,
    parseCommand(parser: CommandParser, keys: string[], parameters: number[]) {
      parser.pushKeysLength(keys)
      parser.push(...parameters.map(String))
    },
    transformReply(reply: unknown) {
      const [refused, waitSeconds] = reply as [number, number]
      return { refused, waitSeconds }
    },
  }),
  giveAllBack: defineScript({
    SCRIPT: GIVE_BACK,
    parseCommand(parser: CommandParser, keys: string[], parameters: number[]) {
      parser.pushKeysLength(keys)
      parser.push(...parameters.map(String))
    },
    transformReply: (reply: unknown) => reply as number,
  }),
  recordFailure: defineScript({
    SCRIPT: RECORD_FAILURE,
    NUMBER_OF_KEYS: 1,
    parseCommand: pushOneKey,
    transformReply: (reply: unknown) => reply as number,
  }),
  takeTry: defineScript({
    SCRIPT: TAKE_TRY,
    NUMBER_OF_KEYS: 1,
    parseCommand: pushOneKey,
    transformReply: (reply: unknown) => reply as number,
  }),
  readFailures: defineScript({
    SCRIPT: READ_FAILURES,
    NUMBER_OF_KEYS: 1,
    parseCommand: pushOneKey,
    transformReply(reply: unknown) {
      const [count, ageMicroseconds] = reply as [number, number]
      return { count, ageMicroseconds }
    },
  }),
}

function pushOneKey(parser: CommandParser, key: string, parameters: number[]): void {
  parser.pushKey(key)
  parser.push(...parameters.map(String))
}

/** The clock argument: Redis's own unless one is given. */
export function clockArgument(now: (() => number) | undefined): number {
  return now ? Math.round((now() - EPOCH_SECONDS * 1_000) * 1_000) : -1
}
