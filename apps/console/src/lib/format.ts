import { DEFAULT_QUOTA_PER_UNIT } from '@tidegate/contract/api'
import { stored } from './stored.ts'

/** How this site displays money. */
export interface MoneyRules {
  quotaPerUnit: number
  inCurrency: boolean
}

export function moneyRules(): MoneyRules {
  return {
    quotaPerUnit: stored.quotaPerUnit.get() ?? DEFAULT_QUOTA_PER_UNIT,
    inCurrency: stored.displayInCurrency.get() ?? true,
  }
}

/** A balance or a limit: two decimals, or compact quota if the site shows no currency. */
export function formatBalance(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, 2, 2) : compact(quota)
}

/** The price of one request: two to six decimals, without trailing zeros. */
export function formatCallPrice(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, 2, 6) : compact(quota)
}

/** A price in a table column. All prices of a column have the same number of decimals; below half a cent, more. */
export function formatColumnPrice(quota: number, decimals: number, rules = moneyRules()): string {
  const isTiny = quota !== 0 && Math.abs(quota / rules.quotaPerUnit) < 0.005
  if (decimals === 2 && isTiny) return formatCallPrice(quota, rules)
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, decimals, decimals) : compact(quota)
}

/** The number of decimals of a column: as many as its prices need, from two to four. */
export function columnDecimals(quotas: readonly number[], { quotaPerUnit } = moneyRules()): number {
  const decimals = quotas.map((quota) => {
    const [, fraction = ''] = (quota / quotaPerUnit).toFixed(4).split('.')
    const isTiny = quota !== 0 && Number(fraction) === 0 && Math.abs(quota) < quotaPerUnit
    return isTiny ? fraction.length : fraction.replace(/0+$/, '').length
  })
  return Math.max(2, ...decimals)
}

/** A sum: two decimals from one dollar on, more decimals below. */
export function formatSpending(quota: number, rules = moneyRules()): string {
  const amount = Math.abs(quota / rules.quotaPerUnit)
  if (amount >= 1) return formatBalance(quota, rules)
  return rules.inCurrency && amount >= 0.01 ? dollars(quota / rules.quotaPerUnit, 2, 4) : formatCallPrice(quota, rules)
}

/** The decimals of a column of sums: two if the largest sum is a dollar or more, else four. */
export const sumDecimals = (largest: number, { quotaPerUnit } = moneyRules()): number =>
  Math.abs(largest) >= quotaPerUnit ? 2 : 4

/** The decimals of a column of sums and differences, so that all have the same: four if one is below a cent, else two. */
export function amountDecimals(quotas: readonly number[], { quotaPerUnit } = moneyRules()): number {
  return quotas.some((quota) => quota !== 0 && Math.abs(quota) < quotaPerUnit / 100) ? 4 : 2
}

const formats = new Map<string, Intl.NumberFormat>()

/** Kept, because a format takes much longer to create than to use. */
function formatWith(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  const name = `${minimumFractionDigits}-${maximumFractionDigits}`
  let format = formats.get(name)
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits })
    formats.set(name, format)
  }
  return format
}

/** An amount in dollars, independent of the display settings of the site. */
export function dollars(amount: number, minimumDecimals: number, maximumDecimals: number): string {
  const smallest = 10 ** -maximumDecimals
  if (amount !== 0 && Math.abs(amount) < smallest && maximumDecimals > 2) {
    return `${amount < 0 ? '-' : ''}<$${smallest.toFixed(maximumDecimals)}`
  }
  const formatted = formatWith(minimumDecimals, maximumDecimals).format(Math.abs(amount))
  const isZero = Number(formatted.replaceAll(',', '')) === 0
  return `${amount < 0 && !isZero ? '-' : ''}$${formatted}`
}

/** An integer below 10,000, else k, M or B with one decimal, as in the other rows of a column. */
export function compact(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${oneDecimal(value / 1e9)}B`
  if (size >= 1e6) return `${oneDecimal(value / 1e6)}M`
  if (size >= 10_000) return `${oneDecimal(value / 1e3)}k`
  return formatCount(value)
}

/** `128K`, `1M`: the size of a context window. Multiples of 1000, or of 1024 if the number is one. */
export function formatLimit(tokens: number): string {
  const step = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000
  if (tokens < step) return String(tokens)
  const [amount, unit] = tokens >= step * step ? [tokens / (step * step), 'M'] : [tokens / step, 'K']
  return `${Math.round(amount * 10) / 10}${unit}`
}

/** The grammatical form of a counted noun, such as "1 node" and "2 nodes". */
export const pluralForm = (count: number, language: string | undefined) =>
  new Intl.PluralRules(language ?? 'en').select(count) as 'one' | 'few' | 'many' | 'other'

export const formatCount = (value: number): string => value.toLocaleString('en-US')

const WEEK = 7 * 86_400

/** "3 hours ago", or narrow "3h ago", within a week, else `Nov 15` or `Nov 15, 2025`. */
export function formatRecentTime(
  unixSeconds: number,
  language: string,
  { now = new Date(), style = 'long' }: { now?: Date; style?: Intl.RelativeTimeFormatStyle } = {},
): string {
  if (Math.abs(unixSeconds - now.getTime() / 1000) < WEEK)
    return formatRelativeTime(unixSeconds, language, { now: now.getTime(), style })
  return formatShortDate(unixSeconds, language, now)
}

/** `Nov 15`, or `Nov 15, 2025`. */
export const formatShortDate = (unixSeconds: number, language: string, now = new Date()): string =>
  localFormat(language, 'date', unixSeconds, now)

/** `Nov 15, 09:30` in the given language, with the year unless it is the current one. */
export const formatRowTime = (unixSeconds: number, language: string, now = new Date()): string =>
  localFormat(language, 'time', unixSeconds, now)

const rowFormats = new Map<string, Intl.DateTimeFormat>()

function localFormat(language: string, precision: 'date' | 'time', unixSeconds: number, now: Date): string {
  const time = new Date(unixSeconds * 1000)
  const hasYear = time.getFullYear() !== now.getFullYear()
  const key = `${language} ${precision} ${hasYear}`
  const format =
    rowFormats.get(key) ??
    new Intl.DateTimeFormat(language, {
      month: 'short',
      day: 'numeric',
      ...(hasYear && { year: 'numeric' }),
      ...(precision === 'time' && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    })
  rowFormats.set(key, format)
  return format.format(time)
}

/** `2026-11-15 09:30:05` in the local time zone. */
export function formatExactTime(unixSeconds: number): string {
  const time = new Date(unixSeconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[two(time.getHours()), two(time.getMinutes()), two(time.getSeconds())].join(':')}`
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** `Nov 15` in the given language: the local day, or the day in UTC. */
export function formatDay(unixSeconds: number, language: string, inUtc = false): string {
  const time = new Date(unixSeconds * 1000)
  const day = inUtc ? time : Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
  // A chart formats hundreds of days, and a new formatter is slow.
  const format =
    dayFormats.get(language) ?? new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  dayFormats.set(language, format)
  return format.format(day)
}

/** `1.63`, or `152` from 100 s on. A measured time is never written as zero. */
export function inSeconds(milliseconds: number): string {
  if (milliseconds >= 100_000) return (milliseconds / 1000).toFixed(0)
  const text = (milliseconds / 1000).toFixed(2)
  return Number(text) === 0 ? '<0.01' : text
}

/** `1.63 s`. Units of time are international symbols in every language. */
export const formatSeconds = (milliseconds: number): string => `${inSeconds(milliseconds)} s`

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 hours ago", in the given language. Narrow: "3h ago". */
export function formatRelativeTime(
  unixSeconds: number,
  language: string,
  { now = Date.now(), style = 'long' }: { now?: number; style?: Intl.RelativeTimeFormatStyle } = {},
): string {
  const seconds = unixSeconds - Math.round(now / 1000)
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: style === 'long' ? 'auto' : 'always', style })
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? formatter.format(Math.trunc(seconds / step[1]), step[0]) : formatter.format(0, 'second')
}

const oneDecimal = (value: number) => (Math.trunc(value * 10) / 10).toFixed(1)
