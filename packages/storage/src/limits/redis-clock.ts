/**
 * Times are microseconds since 2025: counted from 1970 a double could not tell two of them apart finely enough for a
 * budget of millions. Redis's own clock is used, so nodes with different clocks share one budget.
 */
const EPOCH_SECONDS = 1_735_689_600

/** How a script begins that needs the time. */
export const CLOCK = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = (tonumber(time[1]) - ${EPOCH_SECONDS}) * 1000000 + tonumber(time[2])
end
`

/** The clock argument: Redis's own unless one is given. */
export function clockArgument(now: (() => number) | undefined): number {
  return now ? Math.round((now() - EPOCH_SECONDS * 1_000) * 1_000) : -1
}
