import {
  NEVER_EXPIRES,
  type ApiToken,
  type BodyInput,
  type createToken,
  type updateToken,
} from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'
import type { FieldErrors } from '../../components/resource/use-field-errors.ts'

export type QuotaMode = 'unlimited' | 'total' | 'budget'

/** Values of the form. */
export interface TokenValues {
  name: string
  expires: Dayjs | null
  group?: string | undefined
  mode: QuotaMode
  quota: number | null
  budget: number | null
  period: 'day' | 'week' | 'month'
  zone: string
  limitsModels: boolean
  models: string[]
  addresses: string
  limitsRate: boolean
  ratePeriod: number | null
  rateCount: number | null
  rateSuccess: number | null
  tokensPerMinute: number | null
  concurrency: number | null
  storesResponses: boolean
}

export interface NewTokenValues extends TokenValues {
  count: number | null
}

/** The field that each error code is about. */
export const ERROR_FIELDS: FieldErrors<NewTokenValues> = {
  token_name_invalid: 'name',
  token_expiry_invalid: 'expires',
  token_group_not_allowed: 'group',
  token_model_unknown: 'models',
  token_address_invalid: 'addresses',
  token_budget_invalid: 'budget',
  token_zone_unknown: 'zone',
  token_count_invalid: 'count',
  token_limit_reached: 'count',
}

const DEFAULT_QUOTA = 500_000

export const blankValues = (): NewTokenValues => ({
  name: '',
  expires: null,
  group: undefined,
  mode: 'total',
  quota: DEFAULT_QUOTA,
  budget: DEFAULT_QUOTA,
  period: 'day',
  zone: browserZone(),
  limitsModels: false,
  models: [],
  addresses: '',
  limitsRate: false,
  ratePeriod: 60,
  rateCount: 1000,
  rateSuccess: 10,
  tokensPerMinute: 0,
  concurrency: 0,
  storesResponses: true,
  count: 1,
})

export function valuesOf(token: ApiToken): TokenValues {
  const { budget_period: period } = token
  const hasBudget = period !== ''
  return {
    name: token.name,
    expires: token.expired_time === NEVER_EXPIRES ? null : dayjs.unix(token.expired_time),
    group: token.group || undefined,
    mode: hasBudget ? 'budget' : token.unlimited_quota ? 'unlimited' : 'total',
    // The remaining quota can be negative after overspending, but the form accepts only 0 or more.
    quota: Math.max(0, token.remain_quota),
    budget: hasBudget ? token.budget_quota : DEFAULT_QUOTA,
    period: hasBudget ? period : 'day',
    zone: hasBudget ? token.budget_zone : browserZone(),
    limitsModels: token.model_limits_enabled,
    models: token.model_limits.split(',').filter((name) => name !== ''),
    addresses: token.allow_ips,
    limitsRate: token.rate_limit_enabled,
    ratePeriod: token.rate_limit_period,
    rateCount: token.rate_limit_count,
    rateSuccess: token.rate_limit_success,
    tokensPerMinute: token.tokens_per_minute,
    concurrency: token.max_concurrency,
    storesResponses: token.store_responses,
  }
}

export function newToken(values: NewTokenValues): BodyInput<typeof createToken> {
  return { ...fieldsOf(values), count: values.count ?? 1 }
}

/** Sends only changed fields, so that concurrent changes of other fields are kept. Null if nothing changed. */
export function editOf(token: ApiToken, values: TokenValues): BodyInput<typeof updateToken> | null {
  const before: Record<string, unknown> = fieldsOf(valuesOf(token))
  const changes = Object.fromEntries(Object.entries(fieldsOf(values)).filter(([name, value]) => value !== before[name]))
  if (Object.keys(changes).length === 0) return null
  return { id: token.id, ...changes, ...('remain_quota' in changes && { remain_quota_seen: token.remain_quota }) }
}

function fieldsOf(values: TokenValues) {
  return {
    name: values.name.trim(),
    expired_time: values.expires?.unix() ?? NEVER_EXPIRES,
    group: values.group ?? '',
    ...limitOf(values),
    model_limits_enabled: values.limitsModels,
    model_limits: values.models.join(','),
    allow_ips: values.addresses.trim(),
    rate_limit_enabled: values.limitsRate,
    rate_limit_period: values.ratePeriod ?? 0,
    rate_limit_count: values.rateCount ?? 0,
    rate_limit_success: values.rateSuccess ?? 0,
    tokens_per_minute: values.tokensPerMinute ?? 0,
    max_concurrency: values.concurrency ?? 0,
    // Missing while the options of the form are closed.
    store_responses: (values.storesResponses as boolean | undefined) ?? true,
  }
}

function limitOf({ mode, quota, budget, period, zone }: TokenValues) {
  if (mode === 'unlimited') return { unlimited_quota: true, budget_period: '' as const }
  if (mode === 'total') return { unlimited_quota: false, budget_period: '' as const, remain_quota: quota ?? 0 }
  return { unlimited_quota: false, budget_period: period, budget_quota: budget ?? 0, budget_zone: zone }
}

const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
