import { flag, integer } from '../define.ts'
import { lines } from '../define-list.ts'

const words = { tab: 'operation', section: 'sensitive-words' } as const

export const contentCheckOptions = {
  CheckSensitiveEnabled: flag(words, true),
  CheckSensitiveOnPromptEnabled: flag(words, true),
  /** A line `regex:…` is an expression; one that does not compile is skipped by the matcher, so a typo frees nothing else. */
  SensitiveWords: lines(words, ['test_sensitive']),
  /** Kept for the form; output is not filtered. */
  StopOnSensitiveEnabled: flag(words, true),
  StreamCacheQueueLength: integer(words, 0, { min: 0 }),
}
