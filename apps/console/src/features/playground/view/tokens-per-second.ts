import type { Answer } from '../conversation/types.ts'

/** How fast a model wrote once it had begun; null where there is nothing to measure by. */
export function tokensPerSecond({
  outputTokens,
  firstTokenMs,
  milliseconds,
}: Pick<Answer, 'outputTokens' | 'firstTokenMs' | 'milliseconds'>): number | null {
  if (outputTokens === null || firstTokenMs === null || outputTokens < 2) return null
  const writing = milliseconds - firstTokenMs
  // The first token was there when the clock began.
  const speed = (outputTokens - 1) / (Math.max(writing, 1) / 1000)
  return speed >= 100 ? Math.round(speed) : Math.round(speed * 10) / 10
}
