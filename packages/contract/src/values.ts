import { z } from 'zod'

/** Scalars that cross the wire, named for what they mean. */
export const Id = z.int().positive()
export const UnixSeconds = z.int()
export const IsoTime = z.string()

/** Money: an integer number of points, 500 000 to the dollar by default. Never a fraction. */
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

/** A query number where a missing or unreadable value means "not given". */
export const OptionalInteger = z.unknown().meta({ type: 'integer' }).transform(wholeNumber)

/** A query text where blank means "not given". */
export const OptionalText = z
  .unknown()
  .meta({ type: 'string' })
  .transform((value) => {
    const trimmed = typeof value === 'string' ? withoutZeros(value).trim() : ''
    return trimmed === '' ? undefined : trimmed
  })

/** A query list between commas where blank means "not given". */
export const TextList = z.unknown().meta({ type: 'string', description: 'Separated by commas' }).transform(splitList)

/** The same for numbers; what is not one is left out. */
export const IntegerList = z
  .unknown()
  .meta({ type: 'string', description: 'Numbers separated by commas' })
  .transform((value) => splitList(value)?.flatMap((part) => wholeNumber(part) ?? []))

export const DEFAULT_QUOTA_PER_UNIT = 500_000
export const MAX_QUOTA = 9_000_000_000_000_000

/** An integer as a query carries it, in plain decimal digits; anything else is "not given". */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

function splitList(value: unknown): string[] | undefined {
  const parts = typeof value === 'string' ? withoutZeros(value).split(',') : []
  const filled = parts.map((part) => part.trim()).filter((part) => part !== '')
  return filled.length === 0 ? undefined : filled
}

/** A zero character is in no text anybody means, and the database takes none. */
export function withoutZeros(text: string): string {
  return text.replaceAll('\0', '')
}

const Entry = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** An IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAddressOrRange(text: string): boolean {
  return Entry.safeParse(text).success
}
