/** What a call used, in exclusive buckets: a token is counted in exactly one of them. */
export interface Usage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly output: number
  readonly reasoning: number
  readonly image: number
  readonly audioIn: number
  readonly audioOut: number
  /** The vendor gave no counts, so these are ours. */
  readonly estimated: boolean
}

export const NO_USAGE: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  image: 0,
  audioIn: 0,
  audioOut: 0,
  estimated: false,
}

/** Prompt tokens as the log shows them: everything that was read. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h + usage.image + usage.audioIn
}

/** Completion tokens as the log shows them: everything that was written. */
export function completionTokens(usage: Usage): number {
  return usage.output + usage.reasoning + usage.audioOut
}
