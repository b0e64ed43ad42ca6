import type { UsageLog } from '@tidegate/contract/api'
import { numberIn, type Fields } from './fields.ts'

export type TokenKind = 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWriteHour' | 'audioIn' | 'output' | 'audioOut'

/** Tokens of one kind. The ratio is relative to plain input tokens. */
export interface TokenLine {
  kind: TokenKind
  tokens: number
  ratio: number
  /** A second ratio that multiplies the first. */
  times: number | null
  worth: number
}

/** The tokens of a request by kind. Each token is counted once. Input and output are always present. */
export function tokenLines(log: UsageLog, fields: Fields): TokenLine[] {
  const count = (name: string) => numberIn(fields, name) ?? 0
  const ratio = (name: string) => numberIn(fields, name) ?? 1
  const hour = count('cache_creation_1h_tokens')
  const special = {
    cacheRead: count('cache_tokens'),
    cacheWrite: count('cache_creation_tokens') - hour,
    cacheWriteHour: hour,
    audioIn: count('audio_input'),
  }
  const within = special.cacheRead + special.cacheWrite + special.cacheWriteHour + special.audioIn
  // Prompt tokens normally include cached tokens. If they are fewer, the row counts the cache separately.
  const input = log.prompt_tokens >= within ? log.prompt_tokens - within : log.prompt_tokens
  const output = Math.max(0, log.completion_tokens - count('audio_output'))
  const lines = [
    line('input', input, 1),
    line('cacheRead', special.cacheRead, ratio('cache_ratio')),
    line('cacheWrite', special.cacheWrite, ratio('cache_creation_ratio')),
    line('cacheWriteHour', special.cacheWriteHour, ratio('cache_creation_1h_ratio')),
    line('audioIn', special.audioIn, ratio('audio_ratio')),
    line('output', output, ratio('completion_ratio')),
    line('audioOut', count('audio_output'), ratio('audio_ratio'), ratio('audio_completion_ratio')),
  ]
  return lines.filter(({ kind, tokens }) => tokens > 0 || kind === 'input' || kind === 'output')
}

function line(kind: TokenKind, tokens: number, ratio: number, times: number | null = null): TokenLine {
  return { kind, tokens, ratio, times, worth: tokens * ratio * (times ?? 1) }
}
