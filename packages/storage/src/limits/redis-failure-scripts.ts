import { defineScript, type CommandParser } from '@redis/client'
import { FREE_FAILURES, LONGEST_DELAY_SECONDS } from './failure-delay.ts'
import { CLOCK } from './redis-clock.ts'

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

export const failureScripts = {
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
