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

/** A price in a table column: two to four decimals, aligned at the decimal point. */
export function formatColumnPrice(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? alignedDollars(quota / rules.quotaPerUnit, 4) : compact(quota)
}

/** A sum: two decimals from one dollar on, more decimals below. */
export function formatSpending(quota: number, rules = moneyRules()): string {
  const amount = Math.abs(quota / rules.quotaPerUnit)
  if (amount >= 1) return formatBalance(quota, rules)
  return rules.inCurrency && amount >= 0.01 ? dollars(quota / rules.quotaPerUnit, 2, 4) : formatCallPrice(quota, rules)
}

/** An amount in dollars, independent of the display settings of the site. */
export function dollars(amount: number, minimumDecimals: number, maximumDecimals: number): string {
  const smallest = 10 ** -maximumDecimals
  if (amount !== 0 && Math.abs(amount) < smallest && maximumDecimals > 2) {
    return `${amount < 0 ? '-' : ''}<$${smallest.toFixed(maximumDecimals)}`
  }
  const formatted = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: minimumDecimals,
    maximumFractionDigits: maximumDecimals,
  })
  const isZero = Number(formatted.replaceAll(',', '')) === 0
  return `${amount < 0 && !isZero ? '-' : ''}$${formatted}`
}

const FIGURE_SPACE = '\u2007'

/** Two decimals, or more if needed. Figure spaces replace needless zeros, so that the decimal points of a column align. */
export function alignedDollars(amount: number, decimals: number): string {
  const text = dollars(amount, 2, decimals)
  return text.padEnd(text.indexOf('.') + 1 + decimals, FIGURE_SPACE)
}

/** An integer below 10,000, else k, M or B with one decimal. */
export function compact(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${oneDecimal(value / 1e9)}B`
  if (size >= 1e6) return `${oneDecimal(value / 1e6)}M`
  if (size >= 10_000) return `${oneDecimal(value / 1e3)}k`
  return String(value)
}

/** The grammatical form of a counted noun, such as "1 node" and "2 nodes". */
export const pluralForm = (count: number, language: string | undefined) =>
  new Intl.PluralRules(language ?? 'en').select(count) as 'one' | 'few' | 'many' | 'other'

export const formatCount = (value: number): string => value.toLocaleString('en-US')

/** `11-15 09:30:05`. Omits the current year. For rows that are sorted by time. */
export function formatRowTime(unixSeconds: number, now = new Date()): string {
  const exact = formatExactTime(unixSeconds)
  const thisYear = `${now.getFullYear()}-`
  return exact.startsWith(thisYear) ? exact.slice(thisYear.length) : exact
}

/** `2026-11-15 09:30:05` in the local time zone. */
export function formatExactTime(unixSeconds: number): string {
  const time = new Date(unixSeconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[two(time.getHours()), two(time.getMinutes()), two(time.getSeconds())].join(':')}`
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 hours ago", in the given language. */
export function formatRelativeTime(unixSeconds: number, language: string, now = Date.now()): string {
  const seconds = unixSeconds - Math.round(now / 1000)
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? formatter.format(Math.trunc(seconds / step[1]), step[0]) : formatter.format(0, 'second')
}

const oneDecimal = (value: number) => String(Math.trunc(value * 10) / 10)
