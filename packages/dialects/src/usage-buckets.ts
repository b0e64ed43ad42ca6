/**
 * What a call consumed, in buckets that never overlap: a token is counted in exactly one of them.
 * All are whole numbers of zero or more.
 */
export interface UsageBuckets {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly output: number
  readonly reasoning: number
  readonly image: number
  readonly audioIn: number
  readonly audioOut: number
}

export const NO_USAGE: UsageBuckets = {
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  image: 0,
  audioIn: 0,
  audioOut: 0,
}
