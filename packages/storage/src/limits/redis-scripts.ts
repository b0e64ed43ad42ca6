import { type CommandParser, defineScript } from '@redis/client'
import { FREE_FAILURES, MAX_DELAY_SECONDS, LEASE_SECONDS, LEASE_WAIT_SECONDS } from './limiter.ts'

/**
 * Times are microseconds since 2025: counted from 1970, a double is not precise enough for budgets of millions. Scripts
 * use the clock of Redis, so that nodes with different clocks share one budget.
 */
const EPOCH_SECONDS = 1_735_689_600

/** The start of every script that needs the time. */
export const CLOCK = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = (tonumber(time[1]) - ${EPOCH_SECONDS}) * 1000000 + tonumber(time[2])
end
`

/** The clock argument; negative for the clock of Redis. */
export function clockArgument(now: (() => number) | undefined): number {
  return now ? Math.round((now() - EPOCH_SECONDS * 1_000) * 1_000) : -1
}

const LEASE_MICROSECONDS = LEASE_SECONDS * 1_000_000

/** Appends the state of a budget that is full again at `full`. Tolerates one microsecond, as does taking from it. */
const STATE = `
local function pushState(reply, limit, window, full)
  local left = window - (full - now)
  table.insert(reply, math.max(0, math.min(limit, math.floor((left + 1) * limit / window))))
  table.insert(reply, math.max(0, math.ceil((full - now - 1) / 1000)))
end
`

/**
 * When a budget is full again. What is left and what processes hold never exceed the limit together, so a slice that is
 * spent late does not add to a full budget. The units of a process that died count as spent at their expiry. The hash of
 * slices has `<units>:<expiry>` for each process. Also returns the units of all processes, and of one.
 */
export const WHEN_FULL = `
local function whenFull(budget, slices, step, process)
  local full = math.max(now, tonumber(redis.call('GET', budget) or 0))
  local unspent, held, own, expired = 0, 0, 0, 0
  local holders = redis.call('HGETALL', slices)
  for i = 1, #holders, 2 do
    local units, expires = string.match(holders[i + 1], '([^:]+):(.+)')
    units, expires = tonumber(units), tonumber(expires)
    unspent = unspent + units
    if expires > now then
      held = held + units
      if holders[i] == process then own = units end
    else
      expired = math.max(expired, expires)
      redis.call('HDEL', slices, holders[i])
    end
  end
  full = math.max(full, now + held * step)
  if expired > 0 and expired + unspent * step > full then
    full = expired + unspent * step
    redis.call('SET', budget, string.format('%.17g', full), 'PX', math.ceil((full - now) / 1000) + 1000)
  end
  return full, held, own
end
`

export const HOLD = `
local function hold(key, holder)
  redis.call('ZADD', key, string.format('%.17g', now + ${LEASE_MICROSECONDS}), holder)
  redis.call('EXPIRE', key, ${LEASE_SECONDS})
end
`

/**
 * Takes from any number of budgets and one lease in one round trip. KEYS: each budget and its slices, then the lease if
 * there is one.
 * ARGV after the clock: number of budgets; limit, window in µs, cost and standing flag of each; limit and holder of the
 * lease. Returns the index of what rejected it (0 for nothing), the seconds to wait, and for each budget what remains
 * and the milliseconds until it is full.
 */
const ACQUIRE = `${CLOCK}${STATE}${WHEN_FULL}${HOLD}
local count = tonumber(ARGV[2])
local limit, window, step, standing, full = {}, {}, {}, {}, {}
local longest, rejected, standingExceeded = 0, 0, false
for i = 1, count do
  limit[i], window[i] = tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  step[i] = tonumber(ARGV[4 * i + 1]) * window[i] / limit[i]
  standing[i] = ARGV[4 * i + 2] == '1'
  full[i] = whenFull(KEYS[2 * i - 1], KEYS[2 * i], window[i] / limit[i])
  local wait = full[i] + step[i] - now - window[i]
  if wait > 1 then
    if standing[i] then standingExceeded = true end
    if wait > longest then longest, rejected = wait, i end
  end
end

local leases = KEYS[2 * count + 1]
if leases then
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', string.format('%.17g', now))
  local isFull = redis.call('ZCARD', leases) >= tonumber(ARGV[4 * count + 3])
  if isFull and longest < ${LEASE_WAIT_SECONDS * 1_000_000} then
    longest, rejected = ${LEASE_WAIT_SECONDS * 1_000_000}, count + 1
  end
  if rejected == 0 then hold(leases, ARGV[4 * count + 4]) end
end

local reply = {}
for i = 1, count do
  if rejected == 0 or (standing[i] and not standingExceeded) then
    full[i] = full[i] + step[i]
    local expiry = math.ceil((full[i] - now) / 1000) + 1000
    redis.call('SET', KEYS[2 * i - 1], string.format('%.17g', full[i]), 'PX', expiry)
    -- A retry of a rejected request also takes from the standing budgets.
    if rejected > 0 then longest = math.max(longest, full[i] + step[i] - now - window[i]) end
  end
  pushState(reply, limit[i], window[i], full[i])
end
table.insert(reply, 1, math.ceil((longest - 1) / 1000000))
table.insert(reply, 1, rejected)
return reply
`

/**
 * Corrects budgets and releases a lease. KEYS: the budgets, then the lease. ARGV after the clock: number of budgets; limit, window in µs
 * and cost of each; holder of the lease. A full budget has expired and needs no refund.
 */
const RELEASE = `${CLOCK}${STATE}
local count = tonumber(ARGV[2])
local reply = {}
for i = 1, count do
  local limit, window = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local step = tonumber(ARGV[3 * i + 2]) * window / limit
  local known = tonumber(redis.call('GET', KEYS[i]) or nil)
  local full = now
  if step > 0 then
    full = math.max(now, known or 0) + step
    redis.call('SET', KEYS[i], string.format('%.17g', full), 'PX', math.ceil((full - now) / 1000) + 1000)
  elseif known then
    full = known + step
    redis.call('SET', KEYS[i], string.format('%.17g', full), 'KEEPTTL')
  end
  pushState(reply, limit, window, full)
end
if KEYS[count + 1] then redis.call('ZREM', KEYS[count + 1], ARGV[3 * count + 3]) end
return reply
`

/** Extends leases. ARGV after the clock: the holder for each key. */
const RENEW = `${CLOCK}${HOLD}
for i = 1, #KEYS do hold(KEYS[i], ARGV[i + 1]) end
return #KEYS
`

const budgetScripts = {
  acquire: defineScript({
    SCRIPT: ACQUIRE,
    parseCommand: pushKeys,
    transformReply(reply: unknown) {
      const [rejectedIndex, waitSeconds, ...states] = reply as [number, number, ...number[]]
      return { rejectedIndex, waitSeconds, states: parseStates(states) }
    },
  }),
  release: defineScript({
    SCRIPT: RELEASE,
    parseCommand: pushKeys,
    transformReply: (reply: unknown) => parseStates(reply as number[]),
  }),
  renewLeases: defineScript({
    SCRIPT: RENEW,
    parseCommand: pushKeys,
    transformReply: (reply: unknown) => reply as number,
  }),
}

export function pushKeys(parser: CommandParser, keys: string[], parameters: (number | string)[]): void {
  parser.pushKeysLength(keys)
  parser.push(...parameters.map(String))
}

function parseStates(numbers: readonly number[]): { remaining: number; resetMs: number }[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    remaining: numbers[2 * index]!,
    resetMs: numbers[2 * index + 1]!,
  }))
}

/** Counts one failure. ARGV after the clock: memory in seconds. Returns the count. */
const RECORD_FAILURE = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
local count = 1
if known[1] and now - tonumber(known[2]) < memory * 1000000 then count = tonumber(known[1]) + 1 end
redis.call('HSET', KEYS[1], 'count', count, 'last', string.format('%.17g', now))
redis.call('EXPIRE', KEYS[1], memory)
return count
`

/** Returns the remembered count and the microseconds since the last failure. */
const READ_FAILURES = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
if not known[1] then return { 0, 0 } end
local age = now - tonumber(known[2])
if age >= memory * 1000000 then return { 0, 0 } end
return { tonumber(known[1]), math.floor(age) }
`

/** Counts a failure in advance unless the key must wait. ARGV as above. Returns the seconds to wait. */
const TAKE_ATTEMPT = `${CLOCK}
local memory = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'count', 'last')
local count, age = 0, 0
if known[1] and now - tonumber(known[2]) < memory * 1000000 then
  count, age = tonumber(known[1]), now - tonumber(known[2])
end
local delay = 0
if count > ${FREE_FAILURES} then delay = math.min(${MAX_DELAY_SECONDS}, 2 ^ (count - ${FREE_FAILURES} - 1)) end
local wait = math.ceil(delay - age / 1000000)
if wait > 0 then return wait end
redis.call('HSET', KEYS[1], 'count', count + 1, 'last', string.format('%.17g', now))
redis.call('EXPIRE', KEYS[1], memory)
return 0
`

const failureScripts = {
  recordFailure: defineScript({
    SCRIPT: RECORD_FAILURE,
    NUMBER_OF_KEYS: 1,
    parseCommand: pushOneKey,
    transformReply: (reply: unknown) => reply as number,
  }),
  takeAttempt: defineScript({
    SCRIPT: TAKE_ATTEMPT,
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

/** Scripts as methods of the client, which sends the source only when Redis does not have it yet. */
export const limiterScripts = { ...budgetScripts, ...failureScripts }
