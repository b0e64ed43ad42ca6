import { z } from 'zod'
import type { OptionDefinition, Place } from './define.ts'

interface ListRules {
  /** What each entry must look like. */
  pattern?: RegExp
  /** The same where a pattern cannot say it. */
  accepts?: { test(entry: string): boolean; message: string; zh: string }
  /** Two spellings of one entry are the same to the reader of the option. */
  lowerCase?: boolean
}

/** One entry per line; blank lines and repeats are dropped. */
export function lines(place: Place, initial: readonly string[]): OptionDefinition<readonly string[]> {
  return {
    ...place,
    kind: 'lines',
    default: initial,
    secret: false,
    parse: (text) => entriesOf(text.split(/\r?\n/), {}),
    format: (entries) => entries.join('\n'),
  }
}

/** Entries separated by commas; blanks and repeats are dropped. */
export function commaList(
  place: Place,
  initial: readonly string[],
  rules: ListRules = {},
): OptionDefinition<readonly string[]> {
  return {
    ...place,
    kind: 'list',
    default: initial,
    secret: false,
    parse: (text) => entriesOf(text.split(','), rules),
    format: (entries) => entries.join(','),
  }
}

const MAX_ENTRY = 1024
const MAX_ENTRIES = 20_000

function entriesOf(parts: string[], { pattern, accepts, lowerCase }: ListRules): string[] {
  const entries = parts.map((part) => part.trim()).filter((part) => part !== '')
  const spelled = lowerCase ? entries.map((entry) => entry.toLowerCase()) : entries
  let entry = z.string().max(MAX_ENTRY)
  if (pattern) entry = entry.regex(pattern)
  if (accepts)
    entry = entry.refine((text) => accepts.test(text), { message: accepts.message, params: { zh: accepts.zh } })
  return z
    .array(entry)
    .max(MAX_ENTRIES)
    .parse([...new Set(spelled)])
}
