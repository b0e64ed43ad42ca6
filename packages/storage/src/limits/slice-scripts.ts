import { defineScript } from '@redis/client'
import { extraShare, PROCESS_SECONDS } from './budget-source.ts'
import { CLOCK, HOLD, pushKeys, WHEN_FULL } from './redis-scripts.ts'

/** `grantedOf` of `budget-source.ts`. ARGV[3] is the share of the rest that one process may take in advance. */
const GRANT = `
local share = tonumber(ARGV[3])
local function grant(available, least, need, extra)
  if available < math.max(1, math.min(least, need + extra)) then return 0 end
  if available <= need then return available end
  return need + math.min(extra, math.floor((available - need) / share))
end
`

/**
 * Leases slices of budgets. KEYS: for each order the budget and the slices of it. ARGV after the clock: process, share;
 * for each order limit, window in µs, expiry in µs, held, refund, least, need, extra. Returns for each order the granted
 * units and the µs until the budget is full.
 */
const TAKE_SLICES = `${CLOCK}${WHEN_FULL}${GRANT}
local process = ARGV[2]
local reply = {}
for i = 1, #KEYS / 2 do
  local at = 8 * i - 4
  local limit, window, life = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local held, refund = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local budget, slices = KEYS[2 * i - 1], KEYS[2 * i]
  local step = window / limit
  local before, heldByAll, own = whenFull(budget, slices, step, process)
  local full = math.max(before - refund * step, now + (heldByAll - own + held) * step)
  local available = math.floor((now + window - full + 1) / step)
  local units = grant(available, tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]), tonumber(ARGV[at + 7]))
  full = full + units * step
  if full > now then
    redis.call('SET', budget, string.format('%.17g', full), 'PX', math.ceil((full - now) / 1000) + 1000)
  else
    redis.call('DEL', budget)
  end
  if held + units > 0 then
    redis.call('HSET', slices, process, string.format('%.17g:%.17g', held + units, now + life))
    redis.call('PEXPIRE', slices, math.ceil(life / 1000) + 1000)
  else
    redis.call('HDEL', slices, process)
  end
  table.insert(reply, units)
  table.insert(reply, math.ceil(full - now))
end
return reply
`

/**
 * Takes concurrency leases in advance. ARGV after the clock: unused, share; for each key limit, least, need, extra and
 * the prefix of the holders. Returns how many each key got.
 */
const TAKE_LEASES = `${CLOCK}${GRANT}${HOLD}
local reply = {}
for i = 1, #KEYS do
  local at = 5 * i - 1
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.17g', now))
  local available = tonumber(ARGV[at]) - redis.call('ZCARD', KEYS[i])
  local taken = grant(available, tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
  for n = 1, taken do hold(KEYS[i], ARGV[at + 4] .. n) end
  table.insert(reply, taken)
end
return reply
`

/** ARGV: the holder for each key. */
const FREE_LEASES = `
for i = 1, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i]) end
return #KEYS
`

/** KEYS: the registered processes. ARGV after the clock: process. Returns their number. */
const REGISTER_PROCESS = `${CLOCK}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.17g', now))
redis.call('ZADD', KEYS[1], string.format('%.17g', now + ${PROCESS_SECONDS * 1_000_000}), ARGV[2])
redis.call('EXPIRE', KEYS[1], ${PROCESS_SECONDS})
return redis.call('ZCARD', KEYS[1])
`

export const sliceScripts = {
  takeSlices: defineScript({
    SCRIPT: TAKE_SLICES,
    parseCommand: pushKeys,
    transformReply(reply: unknown) {
      const numbers = reply as number[]
      return Array.from({ length: numbers.length / 2 }, (_, index) => ({
        units: numbers[2 * index]!,
        resetMs: numbers[2 * index + 1]! / 1_000,
      }))
    },
  }),
  takeLeases: defineScript({
    SCRIPT: TAKE_LEASES,
    parseCommand: pushKeys,
    transformReply: (reply: unknown) => reply as number[],
  }),
  freeLeases: defineScript({
    SCRIPT: FREE_LEASES,
    parseCommand: pushKeys,
    transformReply: (reply: unknown) => reply as number,
  }),
  registerProcess: defineScript({
    SCRIPT: REGISTER_PROCESS,
    parseCommand: pushKeys,
    transformReply: (reply: unknown) => reply as number,
  }),
}

/** The arguments that `GRANT` reads. */
export function shareArgument(processes: number): number {
  return extraShare(processes)
}
