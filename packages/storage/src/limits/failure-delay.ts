/** Failures that cost nothing: people mistype. */
export const FREE_FAILURES = 4
export const LONGEST_DELAY_SECONDS = 900
/** Failures are forgotten this long after the last one. */
export const FAILURE_MEMORY_SECONDS = 3_600

/** 1, 2, 4, … seconds from the fifth failure on. */
export function failureDelaySeconds(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(LONGEST_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES - 1))
}
