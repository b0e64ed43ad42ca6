import { z } from 'zod'

export type OptionTab = 'operation' | 'ratelimit' | 'models' | 'system' | 'other'
export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'lines' | 'list' | 'url' | 'choice' | 'json'

/** One setting of the site: stored and sent as text, used as a typed value. */
export interface OptionDefinition<Value = unknown> {
  readonly kind: OptionKind
  readonly tab: OptionTab
  /** The block of the settings page it belongs to. */
  readonly section: string
  readonly default: Value
  /** Written but never read back, and sealed at rest. */
  readonly secret: boolean
  /** A change needs recent re-authentication; see `Place`. */
  readonly guard?: OptionGuard
  /** Choices in the order a form shows them; only for kind `choice`. */
  readonly choices?: readonly string[]
  /** What a figure must keep to; only for kinds `integer` and `number`. */
  readonly limits?: FigureLimits
  /** Reads the stored or submitted text; throws a ZodError that says what is wrong. */
  parse(text: string): Value
  format(value: Value): string
}

export interface FigureLimits {
  readonly min?: number
  readonly max?: number
  /** More than this, not only as much. */
  readonly above?: number
}

/**
 * `reauth`: a session needs recent re-authentication to change the option. For options that hold a secret, that name the
 * host a secret or a link goes to, that decide who may sign in, or that put HTML or script into pages.
 */
export type OptionGuard = 'reauth'

export type Place = { readonly tab: OptionTab; readonly section: string; readonly guard?: OptionGuard }
type Limits = Omit<FigureLimits, 'above'>

export function flag(place: Place, initial: boolean): OptionDefinition<boolean> {
  return {
    ...place,
    kind: 'boolean',
    default: initial,
    secret: false,
    parse: (text) => z.enum(['true', 'false']).parse(text.trim()) === 'true',
    format: String,
  }
}

export function integer(place: Place, initial: number, limits: Limits = {}): OptionDefinition<number> {
  const schema = withLimits(z.int(), limits)
  return {
    ...place,
    kind: 'integer',
    default: initial,
    secret: false,
    limits,
    parse: (text) => schema.parse(toNumber(text)),
    format: String,
  }
}

export function number(
  place: Place,
  initial: number,
  { step, ...limits }: FigureLimits & { step?: number } = {},
): OptionDefinition<number> {
  let schema = withLimits(z.number(), limits)
  if (limits.above !== undefined) schema = schema.gt(limits.above)
  if (step !== undefined) schema = schema.multipleOf(step)
  return {
    ...place,
    kind: 'number',
    default: initial,
    secret: false,
    limits,
    parse: (text) => schema.parse(toNumber(text)),
    format: String,
  }
}

/** A number that may be left blank, which means "not set". */
export function optionalNumber(place: Place, limits: Limits = {}): OptionDefinition<number | undefined> {
  const schema = withLimits(z.number(), limits)
  return {
    ...place,
    kind: 'number',
    default: undefined,
    secret: false,
    limits,
    parse: (text) => (text.trim() === '' ? undefined : schema.parse(toNumber(text))),
    format: (value) => (value === undefined ? '' : String(value)),
  }
}

export function choice<const Choice extends string>(
  place: Place,
  choices: readonly [Choice, ...Choice[]],
  initial: Choice,
): OptionDefinition<Choice> {
  return {
    ...place,
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
