import { DEFAULT_QUOTA_PER_UNIT } from '@tidegate/contract/api'
import { stored } from './stored.ts'

/** How money is written on this site. */
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

/** A balance or a limit: two decimals, or the compact quota where the site shows no currency. */
export function formatBalance(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, 2, 2) : compact(quota)
}

/** The price of a single call: as many decimals as carry information, six at most. */
export function formatCallPrice(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, 2, 6) : compact(quota)
}

/** The price of one of many rows: four decimals, so that a column can be compared. */
export function formatColumnPrice(quota: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, 4, 4) : compact(quota)
}

/** A sum: two decimals once it is a dollar, before that as many as say something. */
export function formatSpending(quota: number, rules = moneyRules()): string {
  const amount = Math.abs(quota / rules.quotaPerUnit)
  if (amount >= 1) return formatBalance(quota, rules)
  return rules.inCurrency && amount >= 0.01 ? dollars(quota / rules.quotaPerUnit, 2, 4) : formatCallPrice(quota, rules)
}

/** Always in dollars, where the amount itself is money and not a display of quota. */
export function dollars(amount: number, minimumDecimals: number, maximumDecimals: number): string {
  const smallest = 10 ** -maximumDecimals
  if (amount !== 0 && Math.abs(amount) < smallest && maximumDecimals > 2) {
    return `${amount < 0 ? '-' : ''}<$${smallest.toFixed(maximumDecimals)}`
  }
  const written = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: minimumDecimals,
    maximumFractionDigits: maximumDecimals,
  })
  const isZero = Number(written.replaceAll(',', '')) === 0
  return `${amount < 0 && !isZero ? '-' : ''}$${written}`
}

/** Whole below ten thousand, then k, M and B with one decimal. */
export function compact(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${oneDecimal(value / 1e9)}B`
  if (size >= 1e6) return `${oneDecimal(value / 1e6)}M`
  if (size >= 10_000) return `${oneDecimal(value / 1e3)}k`
  return String(value)
}

export const formatCount = (value: number): string => value.toLocaleString('en-US')

/** `11-15 09:30:05`: exact, but silent about the year while it is this one. For rows that stand in time order. */
export function formatRowTime(unixSeconds: number, now = new Date()): string {
  const exact = formatExactTime(unixSeconds)
  const thisYear = `${now.getFullYear()}-`
  return exact.startsWith(thisYear) ? exact.slice(thisYear.length) : exact
}

/** `2026-11-15 09:30:05` in the person's own zone. */
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

/** "3 hours ago", in the language given. */
export function formatRelativeTime(unixSeconds: number, language: string, now = Date.now()): string {
  const seconds = unixSeconds - Math.round(now / 1000)
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? words.format(Math.trunc(seconds / step[1]), step[0]) : words.format(0, 'second')
}

const oneDecimal = (value: number) => String(Math.trunc(value * 10) / 10)
