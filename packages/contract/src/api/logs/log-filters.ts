import { z } from 'zod'
import { Flag, IntegerList, OptionalFlag, OptionalInteger, OptionalText, TextList } from '../../values.ts'

/** How a request ended. */
export const REQUEST_STATUSES = ['success', 'error', 'interrupted'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** Values of one list filter that are used; more are ignored. */
const MAX_VALUES = 50

const Names = TextList.transform((names) => names?.slice(0, MAX_VALUES))
/** One digit, as all types have. The database rejects numbers above 32767. */
const Types = IntegerList.transform((types) => {
  const valid = types?.filter((type) => type >= 0 && type < 10) ?? []
  return valid.length === 0 ? undefined : valid
})
const Statuses = TextList.transform((names) => {
  const known = REQUEST_STATUSES.filter((status) => names?.includes(status))
  return known.length === 0 ? undefined : known
})

/**
 * Filters of the usage log. Lists match any of their values. `status`, `stream`, `retried` and `min_duration_ms` have
 * no index: they apply to the newest 200,000 rows that match the other filters.
 */
export const ownLogFilters = {
  type: OptionalInteger,
  /** Log types, separated by commas. */
  types: Types,
  token_name: OptionalText,
  model_name: OptionalText,
  /** Exact names, separated by commas. */
  models: Names,
  group: OptionalText,
  start_timestamp: OptionalInteger,
  end_timestamp: OptionalInteger,
  request_id: OptionalText,
  /** `success`, `error`, `interrupted`, separated by commas. Failed attempts of a retried request have no status. */
  status: Statuses,
  /** Error codes, separated by commas. Matches failed requests and failed attempts. */
  error_codes: Names,
  stream: OptionalFlag,
  min_duration_ms: OptionalInteger,
}

export const siteLogFilters = {
  ...ownLogFilters,
  username: OptionalText,
  /** Exact names, separated by commas. */
  usernames: Names,
  channel: OptionalInteger,
  channels: IntegerList.transform((ids) => (ids?.length ? ids.slice(0, MAX_VALUES) : undefined)),
  /** Whether more than one attempt was made. */
  retried: OptionalFlag,
  /** Only requests that cost more than their account could pay. */
  uncovered: Flag,
}

export const OwnLogFilters = z.object(ownLogFilters).partial()
export const SiteLogFilters = z.object(siteLogFilters).partial()
