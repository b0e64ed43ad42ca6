import { setImmediate } from 'node:timers/promises'
import { ApiError, type Log, type Settings, logEvent } from '@tidegate/contract'
import { RE2JS } from 're2js'

type ContentFilterSettings = Pick<
  Settings,
  | 'CheckSensitiveEnabled'
  | 'CheckSensitiveOnPromptEnabled'
  | 'SensitiveWords'
  | 'global.safe_check_exempt_enabled'
  | 'global.safe_check_exempt_group'
>

/**
 * Rejects a prompt that contains a word on the operator's list. Only the log names the word. Returns a promise only
 * when the search is long and must yield to other requests.
 */
export function filterContent(
  settings: ContentFilterSettings,
  group: string,
  texts: readonly string[],
  context: { log: Log; requestId: string },
): Promise<void> | undefined {
  if (!filtersContent(settings, group)) return undefined
  const { findAtOnce, find } = finderOf(settings.SensitiveWords, context.log)
  const reject = (word: string | undefined) => {
    if (word === undefined) return
    logEvent(context.log, 'content.word_found', { requestId: context.requestId, word })
    throw new ApiError('sensitive_words_detected')
  }
  if (!findAtOnce || lengthOf(texts) > PIECE_LENGTH) return findInSlices(texts, find, reject)
  for (const text of texts) reject(findAtOnce(text))
  return undefined
}

/** Whether prompts of a group are checked. */
export function filtersContent(settings: ContentFilterSettings, group: string): boolean {
  if (!settings.CheckSensitiveEnabled || !settings.CheckSensitiveOnPromptEnabled) return false
  return !(settings['global.safe_check_exempt_enabled'] && settings['global.safe_check_exempt_group'] === group)
}

function lengthOf(texts: readonly string[]): number {
  let sum = 0
  for (const { length } of texts) sum += length
  return sum
}

async function findInSlices(
  texts: readonly string[],
  find: Finder['find'],
  reject: (word: string | undefined) => void,
): Promise<void> {
  for (const text of texts) reject(await find(text))
}

interface Finder {
  /** For texts up to one piece. Missing when there are expressions, which take longer. */
  readonly findAtOnce?: (text: string) => string | undefined
  readonly find: (text: string) => Promise<string | undefined>
}

type LowerCasedFinder = (lowerCased: string) => string | undefined

/** Finders by word list. The list is a new array whenever the setting changes. */
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

/** A few milliseconds of work: a long prompt must not delay other streams. */
const PIECE_LENGTH = 64 * 1024

async function findInPieces(find: LowerCasedFinder, text: string, longest: number): Promise<string | undefined> {
  if (longest === 0) return undefined
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    if (from > 0) await setImmediate()
    const word = find(text.slice(from, from + PIECE_LENGTH + longest).toLowerCase()) // a word may cross the boundary
    if (word !== undefined) return word
  }
  return undefined
}

/** Up to this number, `includes` for each word is faster than one pass of ours. */
const FEW_WORDS = 32

/** Finds a word of a list in a text, in one pass for any number of words (Aho and Corasick, 1975). */
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
  /**
   * The state to continue in when no word continues here: the longest suffix of the text that is a prefix of a word.
   */
  fallback: State | undefined
  /** The word that ends here, or a shorter word that ends here too. */
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

/** Breadth first: the fallback of a state is shorter, so it is complete when it is needed. */
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
  readonly regex: RE2JS
}

/** From this length on, the search yields between two expressions. */
const LONG_TEXT = 64 * 1024

/**
 * Finds an expression that matches a text. RE2 takes linear time, so no prompt can block a process or evade a time
 * limit. Expressions that RE2 does not support, such as lookahead, are skipped and logged.
 */
function createExpressionFinder(
  sources: readonly string[],
  log: Log,
): (lowerCased: string) => Promise<string | undefined> {
  const expressions = sources.flatMap((source) => compile(source, log) ?? [])
  return async (text) => {
    for (const [index, { source, regex }] of expressions.entries()) {
      if (index > 0 && text.length > LONG_TEXT) await setImmediate()
      if (regex.test(text)) return source
    }
    return undefined
  }
}

function compile(source: string, log: Log): Expression | undefined {
  try {
    // In JavaScript syntax, such as \u4e00 for a character.
    return { source, regex: RE2JS.compile(RE2JS.translateRegExp(source)) }
  } catch (error) {
    logEvent(log, 'content.expression_invalid', { err: error, expression: source })
    return undefined
  }
}
