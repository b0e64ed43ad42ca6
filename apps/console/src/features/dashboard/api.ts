import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { isLong, type Scope, type Span } from './view.ts'

export interface UsageRequest {
  scope: Scope
  username: string
  span: Pick<Span, 'start' | 'end'>
  /** Interval of the rows. */
  step: api.TimeStep
}

export const usageQuery = ({ scope, username, span, step }: UsageRequest) =>
  queryOptions({
    queryKey: ['usage', scope, username, step, span.start, span.end] as const,
    queryFn: ({ signal }) => {
      const query = { start_timestamp: span.start, end_timestamp: span.end, default_time: step }
      if (scope === 'self') return call(api.getOwnData, { query, signal })
      return call(api.getSiteData, { query: scope === 'user' ? { ...query, username } : query, signal })
    },
    enabled: scope !== 'user' || username !== '',
    placeholderData: (rows, last) => (isRefresh(last?.queryKey, [scope, username, step], span) ? rows : undefined),
    staleTime: 60_000,
  })

/** The same request a little later: its rows stay while new ones load. Rows of another range would be mislabelled. */
function isRefresh(
  key: readonly (string | number)[] | undefined,
  subject: readonly string[],
  { start, end }: Pick<Span, 'start' | 'end'>,
): boolean {
  if (!key) return false
  const [lastStart = 0, lastEnd = 0] = key.slice(-2).map(Number)
  const isSameSubject = subject.every((part, index) => key[index + 1] === part)
  return isSameSubject && lastEnd - lastStart === end - start && Math.abs(start - lastStart) < 3600
}

/** Hours, which the console sums by local day; for long ranges the server sums by UTC day or week. */
export function wireStep(step: api.TimeStep, span: Pick<Span, 'start' | 'end'>): api.TimeStep {
  if (!isLong(span)) return 'hour'
  return step === 'week' ? 'week' : 'day'
}

/** Requests that cost more than their accounts could pay. For administrators. */
export const uncoveredQuery = ({ username, span }: Pick<UsageRequest, 'username' | 'span'>) =>
  queryOptions({
    queryKey: ['uncovered', username, span.start, span.end],
    queryFn: async ({ signal }) => {
      const query = { uncovered: 'true', start_timestamp: span.start, end_timestamp: span.end }
      const stat = await call(api.getLogStat, { query: username === '' ? query : { ...query, username }, signal })
      return stat.uncovered ?? null
    },
    staleTime: 60_000,
    meta: { showsErrors: true },
  })

/** Today and yesterday in the time zone of the browser. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return call(api.getOverview, { query: { timezone: timeZone }, signal })
  },
  refetchInterval: 60_000,
})

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: ({ signal }) => call(api.getAttention, { signal }),
  refetchInterval: 30_000,
})

/** Attempts are stored for 24 hours, so the range of the page does not apply. */
export const slowestChannelsQuery = queryOptions({
  queryKey: ['slowest-channels'],
  queryFn: ({ signal }) => call(api.getSlowestChannels, { signal }),
  staleTime: 60_000,
})

/** Balance of the signed-in user. */
export const balanceQuery = queryOptions({
  queryKey: ['dashboard-balance'],
  queryFn: async ({ signal }) => (await call(api.getSelf, { signal })).quota,
  meta: { showsErrors: true },
})

export const rankingQuery = ({ start, end }: Pick<Span, 'start' | 'end'>) =>
  queryOptions({
    queryKey: ['user-ranking', start, end] as const,
    queryFn: ({ signal }) =>
      call(api.getUserRanking, { query: { start_timestamp: start, end_timestamp: end }, signal }),
    placeholderData: (rows, last) => (isRefresh(last?.queryKey, [], { start, end }) ? rows : undefined),
    staleTime: 60_000,
  })

/** The server counts whole UTC days, at most 31 of them. */
const MAX_TOKEN_SECONDS = 31 * 86_400

/** The UTC days that the ranking of API tokens covers. */
export const tokenDays = ({ start, end }: Pick<Span, 'start' | 'end'>) => ({
  start: Math.max(start, end - MAX_TOKEN_SECONDS),
  end,
})

export const tokenRankingQuery = (span: Pick<Span, 'start' | 'end'>) => {
  const { start, end } = tokenDays(span)
  return queryOptions({
    queryKey: ['token-ranking', start, end] as const,
    queryFn: ({ signal }) =>
      call(api.getTokenRanking, { query: { start_timestamp: start, end_timestamp: end }, signal }),
    placeholderData: (rows, last) => (isRefresh(last?.queryKey, [], { start, end }) ? rows : undefined),
    staleTime: 60_000,
  })
}

/** Which parts of the setup exist. */
export interface SetupState {
  hasChannel: boolean
  /** An API token of the signed-in user. */
  tokenId: number | undefined
}

/** Only administrators can read channels. */
export const setupStateQuery = (withChannels: boolean) =>
  queryOptions({
    queryKey: ['setup-state', withChannels],
    queryFn: async ({ signal }): Promise<SetupState> => {
      const query = { p: 1, page_size: 1 }
      const [channels, tokens] = await Promise.all([
        withChannels ? call(api.listChannels, { query, signal }) : [],
        call(api.listTokens, { query, signal }),
      ])
      return { hasChannel: channels.length > 0, tokenId: tokens[0]?.id }
    },
    // The user may return from a page that completes a step.
    staleTime: 0,
    meta: { showsErrors: true },
  })

const MAX_USERS = 20

/** Usernames that match a keyword. */
export const usernamesQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['usage-usernames', keyword],
    queryFn: async ({ signal }) => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: MAX_USERS }, signal })
      return items.map(({ username }) => username)
    },
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
