import { api, ApiError } from '@tidegate/contract'
import type { TokenLimit } from '@tidegate/ledger'
import ipaddr from 'ipaddr.js'
import { groupsForTokens } from '../models/groups.ts'

/** Field rules for new and changed tokens. */

export function checkName(input: string): string {
  const name = input.trim()
  const length = [...name].length
  if (length < 1 || length > api.TOKEN_NAME_MAX_LENGTH || /\p{Cc}/u.test(name)) throw new ApiError('token_name_invalid')
  return name
}

export function checkExpiry(seconds: number, now: Date): Date | null {
  if (seconds === api.NEVER_EXPIRES) return null
  const time = new Date(seconds * 1000)
  if (!(time > now)) throw new ApiError('token_expiry_invalid')
  return time
}

/** Blank means the owner's group at request time. */
export function checkGroup(input: string, settings: Parameters<typeof groupsForTokens>[0], ownGroup: string): string {
  const group = input.trim()
  if (group !== '' && !groupsForTokens(settings, ownGroup).has(group)) {
    throw new ApiError('token_group_not_allowed', { group })
  }
  return group
}

/** Comma-separated names without duplicates; each must be in `known`. */
export function checkModels(input: string, known: ReadonlySet<string>): string {
  const names = splitModels(input)
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw new ApiError('token_model_unknown', { model: unknown.slice(0, 100) })
  return names.join(',')
}

export function splitModels(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** One address or range per line. Invalid lines are rejected, because they could lock the owner out. */
export function checkAddresses(input: string): string {
  const lines = input
    .split(/[\n,]/)
    .map((line) => line.replace(/\s/g, ''))
    .filter((line) => line !== '')
  const wrong = lines.find(
    (line) => !isAddress(line.replace(/\/.*$/, '')) || (line.includes('/') && !ipaddr.isValidCIDR(line)),
  )
  if (wrong !== undefined) throw new ApiError('token_address_invalid', { line: wrong.slice(0, 100) })
  return lines.join('\n')
}

/** The library also accepts `127.1` and numbers. */
function isAddress(line: string): boolean {
  return ipaddr.IPv6.isValid(line) || ipaddr.IPv4.isValidFourPartDecimal(line)
}

export interface LimitFields {
  unlimited_quota: boolean
  remain_quota: number
  budget_period: api.ApiToken['budget_period']
  budget_quota: number
  budget_zone: string
}

export function readLimit(fields: LimitFields): TokenLimit {
  const { unlimited_quota, budget_period: period, budget_quota: quota, budget_zone: zone } = fields
  if (period === '') return unlimited_quota ? { kind: 'unlimited' } : { kind: 'life', quota: fields.remain_quota }
  if (unlimited_quota || quota <= 0) throw new ApiError('token_budget_invalid')
  return { kind: 'period', quota, period, zone: checkZone(zone) }
}

function checkZone(zone: string): string {
  try {
    // Offsets such as `+08:00` are also zones for the runtime, but PostgreSQL inverts their sign.
    if (/^[A-Za-z]/.test(zone)) return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    // rejected below
  }
  throw new ApiError('token_zone_unknown', { zone: zone.slice(0, 50) })
}
