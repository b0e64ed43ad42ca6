export interface Tick {
  /** Unix seconds. */
  time: number
  /** A local midnight. */
  isDay: boolean
}

const DAY = 86_400
const STEPS = [1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
const DAY_STEPS = [1, 2, 5, 7, 14, 30, 90]
const MAX_TICKS = 8

/** Times to label on an axis: local midnights, or round times of the day for short ranges. */
export function axisTicks(start: number, end: number): Tick[] {
  const span = end - start
  const step = STEPS.find((seconds) => span / seconds <= MAX_TICKS)
  const days = DAY_STEPS.find((count) => span / (count * DAY) <= MAX_TICKS) ?? DAY_STEPS.at(-1)!
  const ticks: Tick[] = []
  for (let day = midnightOf(start); day < end; day = midnightOf(day, step === undefined && day >= start ? days : 1)) {
    if (day >= start) ticks.push({ time: day, isDay: true })
    if (step === undefined) continue
    for (let time = day + step; time < Math.min(end, midnightOf(day, 1)); time += step) {
      if (time >= start) ticks.push({ time, isDay: false })
    }
  }
  return ticks
}

/** Local midnight of the day, or of some days later. */
function midnightOf(unixSeconds: number, later = 0): number {
  const day = new Date(unixSeconds * 1000)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime() / 1000
}
