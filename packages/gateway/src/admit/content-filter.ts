import { setImmediate } from 'node:timers/promises'
import { ApiError, type Settings } from '@tidegate/contract'
import type { Log } from '../ports/index.ts'
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

/**
 * Refuses a prompt that holds a word the operator does not want. Which one is told to the operator's log only. Done at
 * once where that takes no time; a promise when others must get a turn meanwhile.
 */
export function checkContent(
  settings: CheckSettings,
  group: string,
  texts: readonly string[],
  note: { log: Log; requestId: string },
): Promise<void> | undefined {
  if (!settings.CheckSensitiveEnabled || !settings.CheckSensitiveOnPromptEnabled) return undefined
  if (settings['global.safe_check_exempt_enabled'] && settings['global.safe_check_exempt_group'] === group) {
    return undefined
  }
  const { findAtOnce, find } = finderOf(settings.SensitiveWords, note.log)
  const refuse = (word: string | undefined) => {
    if (word === undefined) return
    note.log.warn({ requestId: note.requestId, word }, 'a prompt holds a word that is not allowed')
    throw new ApiError('sensitive_words_detected')
  }
  if (!findAtOnce || lengthOf(texts) > PIECE_LENGTH) return findInTurns(texts, find, refuse)
  for (const text of texts) refuse(findAtOnce(text))
  return undefined
}

function lengthOf(texts: readonly string[]): number {
  let sum = 0
  for (const { length } of texts) sum += length
  return sum
}

async function findInTurns(
  texts: readonly string[],
  find: Finder['find'],
  refuse: (word: string | undefined) => void,
): Promise<void> {
  for (const text of texts) refuse(await find(text))
}

interface Finder {
  /** For texts of a piece at most. Missing where expressions are to be tried, which take their time. */
  readonly findAtOnce?: (text: string) => string | undefined
  readonly find: (text: string) => Promise<string | undefined>
}

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
  const findWords = (text: string) => findInPieces(findWord, text, longest)
  if (sources.length === 0) {
    return { findAtOnce: (text) => (longest === 0 ? undefined : findWord(text.toLowerCase())), find: findWords }
  }
  const findExpression = createExpressionFinder(sources, log)
  return { find: async (text) => (await findWords(text)) ?? findExpression(text.toLowerCase()) }
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
