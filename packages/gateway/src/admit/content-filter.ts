import { setImmediate } from 'node:timers/promises'
import { ApiError, type Settings } from '@tidegate/contract'
import { RE2JS } from 're2js'
import type { Log } from '../ports/index.ts'

type ContentFilterSettings = Pick<
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
export function filterContent(
  settings: ContentFilterSettings,
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
  if (!findAtOnce || lengthOf(texts) > PIECE_LENGTH) return findInSlices(texts, find, refuse)
  for (const text of texts) refuse(findAtOnce(text))
  return undefined
}

function lengthOf(texts: readonly string[]): number {
  let sum = 0
  for (const { length } of texts) sum += length
  return sum
}

async function findInSlices(
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

/** Up to here the engine's own search, one word after the other, is quicker than a pass of ours. */
const FEW_WORDS = 32

/** Finds which of some words occur in a text, in one pass however many words there are (Aho and Corasick, 1975). */
export function createWordFinder(words: readonly string[]): (text: string) => string | undefined {
  return words.length > FEW_WORDS ? onePassFinder(words) : (text) => words.find((word) => text.includes(word))
}

function onePassFinder(words: readonly string[]): (text: string) => string | undefined {
  const root = newState()
  for (const word of words) {
    let state = root
    for (let at = 0; at < word.length; at += 1) state = child(state, word.charCodeAt(at))
    state.word = word
  }
  linkFallbacks(root)

  return (text) => {
    let state = root
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      while (state !== root && !state.next.has(unit)) state = state.fallback!
      state = state.next.get(unit) ?? root
      if (state.word !== undefined) return state.word
    }
    return undefined
  }
}

interface State {
  readonly next: Map<number, State>
  /** Where to go on when no word continues here: the longest end of what was read that a word begins with. */
  fallback: State | undefined
  /** The word that ends here, or the one within it that does. */
  word: string | undefined
}

function newState(): State {
  return { next: new Map(), fallback: undefined, word: undefined }
}

function child(state: State, unit: number): State {
  let next = state.next.get(unit)
  if (!next) state.next.set(unit, (next = newState()))
  return next
}

/** By length, so that a state's fallback, which is shorter, is complete when it is needed. */
function linkFallbacks(root: State): void {
  const queue: State[] = [root]
  for (const state of queue) {
    for (const [unit, next] of state.next) {
      let candidate = state.fallback
      while (candidate && !candidate.next.has(unit)) candidate = candidate.fallback
      next.fallback = candidate?.next.get(unit) ?? root
      next.word ??= next.fallback.word
      queue.push(next)
    }
  }
}

interface Expression {
  readonly source: string
  readonly machine: RE2JS
}

/** From this length on, others get a turn between two expressions. */
const LONG_TEXT = 64 * 1024

/**
 * Finds which of some expressions a text fits. Their time grows with the text and no faster (RE2's automata, which never
 * try again), so that nobody can stop a node, or slip through a time limit, with a text made for it. What cannot be
 * done that way, such as looking ahead, is left out and told to the log.
 */
function createExpressionFinder(
  sources: readonly string[],
  log: Log,
): (lowerCased: string) => Promise<string | undefined> {
  const expressions = sources.flatMap((source) => compile(source, log) ?? [])
  return async (text) => {
    for (const [index, { source, machine }] of expressions.entries()) {
      if (index > 0 && text.length > LONG_TEXT) await setImmediate()
      if (machine.test(text)) return source
    }
    return undefined
  }
}

function compile(source: string, log: Log): Expression | undefined {
  try {
    // Written as JavaScript writes them, such as \u4e00 for a character by its number.
    return { source, machine: RE2JS.compile(RE2JS.translateRegExp(source)) }
  } catch (error) {
    log.warn({ err: error, expression: source }, 'a line of the sensitive words is not an expression that can be used')
    return undefined
  }
}
