import { setImmediate } from 'node:timers/promises'
import { RE2JS } from 're2js'
import type { Log } from '../ports/index.ts'

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
export function createExpressionFinder(
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
