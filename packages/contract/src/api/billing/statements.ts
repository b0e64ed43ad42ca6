import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../../paging.ts'
import { oneOf, OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'

/** Kinds of ledger entries. Usage is summed by hour or day: single requests are in the usage log. */
export const MOVEMENT_KINDS = [
  'usage',
  'setup_grant',
  'signup_gift',
  'invite_reward',
  'invite_transfer',
  'rebate',
  'top_up',
  'redemption',
  'check_in',
  'admin_change',
  'refund',
  'top_up_refund',
  'top_up_dispute',
  'top_up_failed',
  'rebate_reversal',
] as const

/** One line of an account statement. */
export const StatementLine = z.object({
  created_at: UnixSeconds,
  /** One of `MOVEMENT_KINDS`; later versions may add others. */
  kind: z.string(),
  /** Positive adds to the balance. */
  amount: Quota,
  /** Balance after this line: the sum of all lines up to it. */
  balance: Quota,
  /** Reference to the cause: a trade number or the id of a redemption code. */
  reference: z.string(),
  /** Number of requests in the hour or day, for usage. */
  requests: z.int(),
  /** The administrator who acted; 0 and blank for users and if there was none. */
  actor_id: z.int(),
  actor: z.string(),
})
export type StatementLine = z.output<typeof StatementLine>

const filters = { kind: OptionalText, start_timestamp: OptionalInteger, end_timestamp: OptionalInteger }
/** An IANA name; other values are ignored. */
const TimeZone = z
  .unknown()
  .meta({ type: 'string', description: 'Time zone of the days, such as `Europe/Berlin`; UTC by default' })
  .transform((name) => (isTimeZone(name) ? name : undefined))
const listFilters = {
  ...filters,
  usage_by: oneOf(['hour', 'day'], 'Sums usage by hour or by day; `hour` by default'),
  timezone: TimeZone,
}
const paging = UNIFORM_PAGING
const pagedQuery = z
  .object({ ...listFilters, ...pageFields(paging) })
  .partial()
  .transform((query) => ({ filters: z.object(listFilters).partial().parse(query), page: readPage(query, paging) }))
const wholeQuery = z
  .object(filters)
  .partial()
  .transform((query) => ({ filters: query }))

export const listOwnStatement = endpoint({
  method: 'GET',
  path: '/api/user/statement',
  access: 'user',
  summary: 'Returns your account statement with the balance after each line, newest first.',
  query: pagedQuery,
  reply: pageOf(StatementLine),
  errors: [],
})

export const exportOwnStatement = endpoint({
  method: 'GET',
  path: '/api/user/statement/export',
  access: 'user',
  summary: 'Exports your statement as a CSV file.',
  query: wholeQuery,
  reply: z.string(),
  bare: true,
  errors: [],
})

export const listStatement = endpoint({
  method: 'GET',
  path: '/api/user/{id}/statement',
  access: 'admin',
  summary: 'Returns the statement of a user with a lower role, including who made each change.',
  query: pagedQuery,
  reply: pageOf(StatementLine),
  errors: ['user_not_found', 'rank_read'],
})

export const exportStatement = endpoint({
  method: 'GET',
  path: '/api/user/{id}/statement/export',
  access: 'admin',
  summary: 'Exports the statement of a user with a lower role as a CSV file.',
  query: wholeQuery,
  reply: z.string(),
  bare: true,
  errors: ['user_not_found', 'rank_read'],
})

/** Offsets such as `+01:00` are no names: PostgreSQL reads them with the opposite sign. */
function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
