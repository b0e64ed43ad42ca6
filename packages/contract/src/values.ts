import { z } from 'zod'

/** Scalar types of the API. */
export const Id = z.int().positive()
export const UnixSeconds = z.int()
export const IsoTime = z.string()

/** Money: an integer number of points, 500,000 per dollar by default. */
export const Quota = z.int()
export type Quota = number

/** Counts code points, as the limits of names and passwords do, not UTF-16 units. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z.string().refine((value) => {
    const length = [...value].length
    return length >= min && length <= max
  }, `between ${min} and ${max} characters`)
}

/** A query flag: `true`/`1` are on, everything else is off. */
export const Flag = z
  .unknown()
  .meta({ type: 'boolean' })
  .transform((value) => value === true || value === 'true' || value === '1')

/** An optional query flag: `true`/`1` or `false`/`0`; anything else is ignored. */
export const OptionalFlag = z
  .unknown()
  .meta({ type: 'boolean' })
  .transform((value) => {
    if (value === true || value === 'true' || value === '1') return true
    return value === false || value === 'false' || value === '0' ? false : undefined
  })

/** An optional query number; invalid values are ignored. */
export const OptionalInteger = z.unknown().meta({ type: 'integer' }).transform(parseInteger)

/** An optional query text; blank is ignored. */
export const OptionalText = z
  .unknown()
  .meta({ type: 'string' })
  .transform((value) => {
    const trimmed = typeof value === 'string' ? stripNul(value).trim() : ''
    return trimmed === '' ? undefined : trimmed
  })

/** An optional query list separated by commas; blank is ignored. */
export const TextList = z.unknown().meta({ type: 'string', description: 'Separated by commas' }).transform(splitList)

/** The same for integers; invalid entries are ignored. */
export const IntegerList = z
  .unknown()
  .meta({ type: 'string', description: 'Numbers separated by commas' })
  .transform((value) => splitList(value)?.flatMap((part) => parseInteger(part) ?? []))

export const DEFAULT_QUOTA_PER_UNIT = 500_000
export const MAX_QUOTA = 9_000_000_000_000_000

/** Parses a decimal integer of a query; undefined for anything else. */
export function parseInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

function splitList(value: unknown): string[] | undefined {
  const parts = typeof value === 'string' ? stripNul(value).split(',') : []
  const filled = parts.map((part) => part.trim()).filter((part) => part !== '')
  return filled.length === 0 ? undefined : filled
}

/** PostgreSQL rejects NUL in text. */
export function stripNul(text: string): string {
  return text.replaceAll('\0', '')
}

const Entry = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Whether a text is an IPv4 or IPv6 address or CIDR range. */
export function isAddressOrRange(text: string): boolean {
  return Entry.safeParse(text).success
}

/** An optional choice; invalid values are ignored. */
export function oneOf<const Value extends string>(values: readonly Value[], description: string) {
  return z
    .unknown()
    .meta({ type: 'string', enum: values, description })
    .transform((value) => values.find((known) => known === value))
}

/**
 * Options of an `LRUCache` with at most this number of entries. Its option `max` allocates memory for all of them when
 * the cache is created: 5 ms for 50,000 entries.
 */
export function cacheLimit(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
