import { formatBalance, formatCount } from '../../../lib/format.ts'

/** `$1.00 (500,000)`: as people and as operators think of it. */
export const bothWays = (quota: number): string => `${formatBalance(quota)} (${formatCount(quota)})`

export const signed = (quota: number): string => `${quota > 0 ? '+' : ''}${formatCount(quota)}`

/** Groups of three digits, and back to what the field stands for. */
export const groupDigits = (value: number | string | undefined): string =>
  String(value ?? '').replace(/\B(?=(\d{3})+(?!\d))/g, ',')

export const ungroupDigits = (text: string | undefined): number | string => (text ?? '').replaceAll(',', '').trim()
