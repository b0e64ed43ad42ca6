import { z } from 'zod'

export type OptionTab = 'operation' | 'ratelimit' | 'models' | 'system' | 'other'
export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'lines' | 'list' | 'url' | 'choice' | 'json'

/** An option of the site: stored and sent as text, used as a typed value. */
export interface OptionDefinition<Value = unknown> {
  readonly kind: OptionKind
  readonly tab: OptionTab
  /** Section of the settings page. */
  readonly section: string
  readonly default: Value
  /** Write-only, and encrypted at rest. */
  readonly secret: boolean
  /** A change needs recent re-authentication; see `OptionGuard`. */
  readonly guard?: OptionGuard
  /** Choices in the order a form shows them; only for kind `choice`. */
  readonly choices?: readonly string[]
  /** Limits of a number; only for kinds `integer` and `number`. */
  readonly limits?: NumberLimits
  /** Parses the stored or submitted text; throws a ZodError. */
  parse(text: string): Value
  format(value: Value): string
}

interface NumberLimits {
  readonly min?: number
  readonly max?: number
  /** Exclusive minimum. */
  readonly above?: number
}

/**
 * `reauth`: a session needs recent re-authentication to change the option. For options that hold a secret, that name the
 * host a secret or a link goes to, that decide who may sign in, or that put HTML or script into pages.
 */
type OptionGuard = 'reauth'

type OptionPlacement = { readonly tab: OptionTab; readonly section: string; readonly guard?: OptionGuard }
type Limits = Omit<NumberLimits, 'above'>

export function flag(placement: OptionPlacement, initial: boolean): OptionDefinition<boolean> {
  return {
    ...placement,
    kind: 'boolean',
    default: initial,
    secret: false,
    parse: (text) => z.enum(['true', 'false']).parse(text.trim()) === 'true',
    format: String,
  }
}

export function integer(placement: OptionPlacement, initial: number, limits: Limits = {}): OptionDefinition<number> {
  const schema = withLimits(z.int(), limits)
  return {
    ...placement,
    kind: 'integer',
    default: initial,
    secret: false,
    limits,
    parse: (text) => schema.parse(toNumber(text)),
    format: String,
  }
}

export function number(
  placement: OptionPlacement,
  initial: number,
  { step, ...limits }: NumberLimits & { step?: number } = {},
): OptionDefinition<number> {
  let schema = withLimits(z.number(), limits)
  if (limits.above !== undefined) schema = schema.gt(limits.above)
  if (step !== undefined) schema = schema.multipleOf(step)
  return {
    ...placement,
    kind: 'number',
    default: initial,
    secret: false,
    limits,
    parse: (text) => schema.parse(toNumber(text)),
    format: String,
  }
}

/** A number that may be left blank, which means "not set". */
export function optionalNumber(placement: OptionPlacement, limits: Limits = {}): OptionDefinition<number | undefined> {
  const schema = withLimits(z.number(), limits)
  return {
    ...placement,
    kind: 'number',
    default: undefined,
    secret: false,
    limits,
    parse: (text) => (text.trim() === '' ? undefined : schema.parse(toNumber(text))),
    format: (value) => (value === undefined ? '' : String(value)),
  }
}

export function choice<const Choice extends string>(
  placement: OptionPlacement,
  choices: readonly [Choice, ...Choice[]],
  initial: Choice,
): OptionDefinition<Choice> {
  return {
    ...placement,
    kind: 'choice',
    default: initial,
    secret: false,
    choices,
    parse: (text) => z.enum(choices).parse(text),
    format: String,
  }
}

function withLimits<Schema extends z.ZodNumber>(schema: Schema, { min, max }: Limits): Schema {
  let limited = schema
  if (min !== undefined) limited = limited.min(min)
  if (max !== undefined) limited = limited.max(max)
  return limited
}

/** Decimal notation only: `Number` alone would also take blanks, hexadecimal and `Infinity`. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function toNumber(text: string): number {
  const trimmed = text.trim()
  return DECIMAL.test(trimmed) ? Number(trimmed) : NaN
}

/** Text of one line. */
export function line(
  placement: OptionPlacement,
  initial = '',
  rules: { max?: number; pattern?: RegExp; blankMeansDefault?: boolean } = {},
): OptionDefinition<string> {
  const schema = z
    .string()
    .trim()
    .max(rules.max ?? 1024)
    .regex(rules.pattern ?? /^[^\r\n]*$/)
  return {
    ...placement,
    kind: 'text',
    default: initial,
    secret: false,
    parse: (text) => schema.parse(text) || (rules.blankMeansDefault ? initial : ''),
    format: String,
  }
}

/** Text of several lines. */
export function prose(placement: OptionPlacement, initial = '', max = 1_000_000): OptionDefinition<string> {
  return {
    ...placement,
    kind: 'text',
    default: initial,
    secret: false,
    parse: (text) => z.string().max(max).parse(text),
    format: String,
  }
}

export function secret(placement: OptionPlacement): OptionDefinition<string> {
  return { ...line(placement), secret: true, guard: 'reauth' }
}

/** An http or https URL, unchanged: some identity providers need the trailing slash. */
export function url(placement: OptionPlacement): OptionDefinition<string> {
  return address(placement, (text) => webAddress.parse(text))
}

/** An https URL, unchanged. */
export function httpsUrl(placement: OptionPlacement): OptionDefinition<string> {
  return address(placement, (text) => secureAddress.parse(text))
}

/** An http or https base URL, without its trailing slash. */
export function baseUrl(placement: OptionPlacement): OptionDefinition<string> {
  return address(placement, (text) => webAddress.parse(text).replace(/\/+$/, ''))
}

/** A link on a page: an http or https address, or a path of this site. */
export function link(placement: OptionPlacement): OptionDefinition<string> {
  return address(placement, (text) => (SITE_PATH.test(text) ? text : webAddress.parse(text)))
}

/** An image on a page: an https address, or a path of this site. Browsers block http images (`img-src` of our pages). */
export function image(placement: OptionPlacement): OptionDefinition<string> {
  return address(placement, (text) => (SITE_PATH.test(text) ? text : secureAddress.parse(text)))
}

const webAddress = z.url({ protocol: /^https?$/ }).max(2048)
const secureAddress = z.url({ protocol: /^https$/ }).max(2048)

/** `//host` and `/\host` would leave the site. */
const SITE_PATH = /^\/(?![/\\])[^\s]{0,2047}$/

/** Blank means "not set" for every address. */
function address(placement: OptionPlacement, read: (text: string) => string): OptionDefinition<string> {
  return {
    ...placement,
    kind: 'url',
    default: '',
    secret: false,
    parse: (text) => (text.trim() === '' ? '' : read(text.trim())),
    format: String,
  }
}

interface ListRules {
  /** Pattern of each entry. */
  pattern?: RegExp
  /** Check of each entry, where a pattern is not enough. */
  accepts?: { test(entry: string): boolean; message: string; zh: string }
  /** Entries are case-insensitive and stored in lower case. */
  lowerCase?: boolean
}

/** One entry per line; blank lines and repeats are dropped. */
export function lines(placement: OptionPlacement, initial: readonly string[]): OptionDefinition<readonly string[]> {
  return {
    ...placement,
    kind: 'lines',
    default: initial,
    secret: false,
    parse: (text) => entriesOf(text.split(/\r?\n/), {}),
    format: (entries) => entries.join('\n'),
  }
}

/** Entries separated by commas; blanks and repeats are dropped. */
export function commaList(
  placement: OptionPlacement,
  initial: readonly string[],
  rules: ListRules = {},
): OptionDefinition<readonly string[]> {
  return {
    ...placement,
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

/** JSON text checked against a schema; blank means the default. */
export function json<Value>(
  placement: OptionPlacement,
  schema: z.ZodType<Value>,
  initial: Value,
): OptionDefinition<Value> {
  const document = z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'not a valid JSON text', params: { zh: '不是合法的 JSON 字符串' } })
        return z.NEVER
      }
    })
    .pipe(schema)
  return {
    ...placement,
    kind: 'json',
    default: initial,
    secret: false,
    parse: (text) => (text.trim() === '' ? initial : document.parse(text)),
    format: (value) => JSON.stringify(value),
  }
}

/** Values by name. Without a prototype, so that looking up `constructor` finds nothing. */
export type NamedMap<Value> = { readonly [name: string]: Value }

/** A JSON object whose keys are names of models, groups or headers. */
export function namedMapSchema<Value>(value: z.ZodType<Value>, name: RegExp = NAME): z.ZodType<NamedMap<Value>> {
  return z
    .unknown()
    .superRefine((candidate, context) => {
      // A record schema drops `__proto__` silently, so names are checked first.
      for (const key of ownNames(candidate)) {
        if (key in Object.prototype || !name.test(key)) {
          const shown = JSON.stringify(key.slice(0, 64))
          const params = { zh: `不能用作名称：${shown}` }
          context.addIssue({ code: 'custom', message: `not a usable name: ${shown}`, params })
        }
      }
    })
    .pipe(z.record(z.string(), value))
    .transform((record) => namedMap(record))
}

export function namedMap<Value>(entries: Readonly<Record<string, Value>>): NamedMap<Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries)
}

/** Not blank at either end and without control characters. */
const NAME = /^(?! )[^\p{Cc}]{1,256}(?<! )$/u

function ownNames(candidate: unknown): string[] {
  return typeof candidate === 'object' && candidate !== null ? Object.keys(candidate) : []
}
