import {
  REDEMPTION_LIMITS,
  UNLIMITED_USES,
  type NewRedemptions,
  type Redemption,
  type RedemptionEdit,
} from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'
import type { FieldErrors } from '../../components/resource/use-field-errors.ts'
import { compact, formatBalance, formatCallPrice, moneyRules } from '../../lib/format.ts'

export interface CodeValues {
  name: string
  quota: number | null
  is_gift: boolean
  /** Absent unless the code is a gift code. */
  max_uses?: number | null
  from: Dayjs | null
  until: Dayjs | null
}

export interface NewCodeValues extends CodeValues {
  key: string
  count: number | null
}

export interface CreatedCodes {
  name: string
  keys: string[]
}

/** The field that each error code is about. */
export const ERROR_FIELDS: FieldErrors<NewCodeValues> = {
  redemption_name_invalid: 'name',
  quota_invalid: 'quota',
  redemption_uses_invalid: 'max_uses',
  redemption_window_invalid: 'until',
  redemption_key_invalid: 'key',
  redemption_key_taken: 'key',
  redemption_count_invalid: 'count',
}

export const BLANK: NewCodeValues = {
  name: '',
  quota: 100_000,
  is_gift: false,
  max_uses: UNLIMITED_USES,
  from: null,
  until: null,
  key: '',
  count: 1,
}

export const valuesOf = (code: Redemption): CodeValues => ({
  name: code.name,
  quota: code.quota,
  is_gift: code.is_gift,
  max_uses: code.max_uses,
  from: timeOf(code.valid_from),
  until: timeOf(code.valid_until),
})

export function newCodes(values: NewCodeValues): NewRedemptions {
  const key = values.key.trim()
  const quota = values.quota ?? 0
  return {
    name: values.name.trim() || nameFor(quota),
    quota,
    count: key === '' ? (values.count ?? 1) : 1,
    ...giftOf(values),
    ...validityOf(values),
    ...(key !== '' && { key }),
  }
}

/** Quota and number of uses are fixed after the first use, so they are not sent then. */
export function editOf({ id, used_count: uses }: Redemption, values: CodeValues): RedemptionEdit {
  return {
    id,
    name: values.name.trim(),
    ...(uses === 0 && { quota: values.quota ?? 0, ...giftOf(values) }),
    ...validityOf(values),
  }
}

/** The name of codes without one: their value. */
export function nameFor(quota: number, rules = moneyRules()): string {
  const isBelowCent = quota * 100 < rules.quotaPerUnit
  const name = isBelowCent ? formatCallPrice(quota, rules) : formatBalance(quota, rules)
  return name.length <= REDEMPTION_LIMITS.name ? name : compact(quota).replace('.0', '')
}

/** The most that new codes can add to balances: null means no limit, undefined that the form is not complete. */
export function totalValue(values: Partial<NewCodeValues>): number | null | undefined {
  const { quota, is_gift: isGift = false, max_uses: most, key = '', count } = values
  const codes = key.trim() === '' ? count : 1
  const uses = isGift ? most : 1
  if (uses === UNLIMITED_USES) return null
  if (!quota || !codes || !uses || quota < 0 || codes < 0 || uses < 0) return undefined
  return quota * codes * uses
}

function giftOf({ is_gift, max_uses }: CodeValues) {
  return { is_gift, max_uses: is_gift ? (max_uses ?? UNLIMITED_USES) : UNLIMITED_USES }
}

function validityOf({ from, until }: CodeValues) {
  return { valid_from: from?.unix() ?? 0, valid_until: until?.unix() ?? 0 }
}

function timeOf(seconds: number): Dayjs | null {
  return seconds === 0 ? null : dayjs.unix(seconds)
}
