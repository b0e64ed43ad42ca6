import { setImmediate } from 'node:timers/promises'
import { Refusal, type Settings } from '@tidegate/contract'
import type { Log } from '../ports.ts'
import { createExpressionFinder } from './find-expressions.ts'
import { createWordFinder } from './find-words.ts'

type CheckSettings = Pick<
  Settings,
  | 'CheckSensitiveEnabled'
  | 'CheckSensitiveOnPromptEnabled'
  | 'SensitiveWords'
  | 'global.safe_check_exempt_enabled'
  | 'global.safe_check_exempt_group'
>

/** Refuses a prompt that holds a word the operator does not want. Which one is told to the operator's log only. */
export async function checkContent(
  settings: CheckSettings,
  group: string,
  texts: readonly string[],
  note: { log: Log; requestId: string },
): Promise<void> {
  if (!settings.CheckSensitiveEnabled || !settings.CheckSensitiveOnPromptEnabled) return
  if (settings['global.safe_check_exempt_enabled'] && settings['global.safe_check_exempt_group'] === group) return
  const find = finderOf(settings.SensitiveWords, note.log)
  for (const text of texts) {
    const word = await find(text)
    if (word === undefined) continue
    note.log.warn({ requestId: note.requestId, word }, 'a prompt holds a word that is not allowed')
    throw new Refusal('sensitive_words_detected')
  }
}

type Finder = (text: string) => Promise<string | undefined>
type LowerCasedFinder = (lowerCased: string) => string | undefined

/** By the list itself, which is a new one whenever the setting changes: it is made ready once. */
const finders = new WeakMap<readonly string[], Finder>()

function finderOf(lines: readonly string[], log: Log): Finder {
  let finder = finders.get(lines)
  if (!finder) finders.set(lines, (finder = createFinder(lines, log)))
  return finder
}

const EXPRESSION = 'regex:'

function createFinder(lines: readonly string[], log: Log): Finder {
  const entries = lines.map((line) => line.trim()).filter(Boolean)
  const words = entries.filter((entry) => !entry.startsWith(EXPRESSION)).map((word) => word.toLowerCase())
  const findWord = createWordFinder(words)
  const longest = words.reduce((length, word) => Math.max(length, word.length), 0)
  const sources = entries.filter((entry) => entry.startsWith(EXPRESSION)).map((entry) => entry.slice(EXPRESSION.length))
  const findExpression = createExpressionFinder(sources, log)
  return async (text) => (await findInPieces(findWord, text, longest)) ?? findExpression(text.toLowerCase())
}

/** Some milliseconds of work: a book-long prompt must not hold up the streams of others. */
const PIECE_LENGTH = 64 * 1024

async function findInPieces(find: LowerCasedFinder, text: string, longest: number): Promise<string | undefined> {
  if (longest === 0) return undefined
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    if (from > 0) await setImmediate()
    const word = find(text.slice(from, from + PIECE_LENGTH + longest).toLowerCase()) // a word may lie across the cut
    if (word !== undefined) return word
  }
  return undefined
}
