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
  /** Things sold by the piece: images, drawing and music tasks. The log shows them as prompt tokens. */
  readonly pieces?: number
  /** The vendor gave no counts, so these are ours. */
  readonly estimated: boolean
}

export type UsageBucket = Exclude<keyof Usage, 'estimated'>

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

/** What a call used that made so many images, or started so many tasks. */
export function pieceUsage(pieces: number): Usage {
  return { ...NO_USAGE, pieces }
}

/** Prompt tokens as the log shows them: everything that was read. */
export function promptTokens(usage: Usage): number {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, image, audioIn, pieces = 0 } = usage
  return input + cacheRead + cacheWrite5m + cacheWrite1h + image + audioIn + pieces
}

/** Completion tokens as the log shows them: everything that was written. */
export function completionTokens(usage: Usage): number {
  return usage.output + usage.reasoning + usage.audioOut
}

/** Both reports together, bucket by bucket; an estimate in either makes the sum one. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
    image: one.image + other.image,
    audioIn: one.audioIn + other.audioIn,
    audioOut: one.audioOut + other.audioOut,
    ...((one.pieces ?? other.pieces) !== undefined && { pieces: (one.pieces ?? 0) + (other.pieces ?? 0) }),
    estimated: one.estimated || other.estimated,
  }
}

/** Refuses counts that are not whole, negative, or too many to add up without losing digits. */
export function assertCountable(usage: Usage): void {
  for (const bucket of BUCKETS) {
    const count = usage[bucket] ?? 0
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a count: ${bucket} ${count}`)
  }
  if (!Number.isSafeInteger(promptTokens(usage)) || !Number.isSafeInteger(completionTokens(usage))) {
    throw new RangeError('the usage is too large to bill')
  }
}

const BUCKETS: readonly UsageBucket[] = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'reasoning',
  'image',
  'audioIn',
  'audioOut',
  'pieces',
]
