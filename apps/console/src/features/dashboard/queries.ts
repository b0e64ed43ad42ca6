import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { isLong, type Scope, type Span } from './view.ts'

export interface Question {
  scope: Scope
  username: string
  span: Pick<Span, 'start' | 'end'>
  /** The steps the rows come in. */
  step: api.TimeStep
}

export const usageQuery = ({ scope, username, span, step }: Question) =>
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

/** The same question a little later: its rows may stay while new ones load. Rows of another range would be mislabelled. */
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

/** Hours, out of which the console makes days of the person's own zone; for a long span the server's sums. */
export function wireStep(step: api.TimeStep, span: Pick<Span, 'start' | 'end'>): api.TimeStep {
  if (!isLong(span)) return 'hour'
  return step === 'week' ? 'week' : 'day'
}

/** What requests cost beyond what their accounts could pay. For administrators. */
export const uncoveredQuery = ({ username, span }: Pick<Question, 'username' | 'span'>) =>
  queryOptions({
    queryKey: ['uncovered', username, span.start, span.end],
    queryFn: async ({ signal }) => {
      const query = { uncovered: 'true', start_timestamp: span.start, end_timestamp: span.end }
      const stat = await call(api.getLogStat, { query: username === '' ? query : { ...query, username }, signal })
      return stat.uncovered ?? null
    },
    staleTime: 60_000,
    // The board says enough without it.
    meta: { showsErrors: true },
  })

/** Models of enabled channels that cannot be called because they have no price. For administrators. */
export const unpricedQuery = queryOptions({
  queryKey: ['unpriced-models'],
  queryFn: ({ signal }) => call(api.listUnpricedModels, { signal }),
  staleTime: 60_000,
  // The board says enough without it.
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

/** What is there of all that a first call needs. */
export interface StepsTaken {
  channel: boolean
  token: boolean
}

/** Asked anew each time: whoever comes back has just done one of them. */
export const stepsTakenQuery = queryOptions({
  queryKey: ['steps-taken'],
  queryFn: async ({ signal }): Promise<StepsTaken> => {
    const query = { p: 1, page_size: 1 }
    const [channels, tokens] = await Promise.all([
      call(api.listChannels, { query, signal }),
      call(api.listTokens, { query, signal }),
    ])
    return { channel: channels.length > 0, token: tokens.length > 0 }
  },
  staleTime: 0,
  // A guide that cannot be drawn is left out; what it would lead to says what is wrong.
  meta: { showsErrors: true },
})

const FEW_PEOPLE = 20

/** People whose name was typed, to choose one from. */
export const peopleQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['usage-people', keyword],
    queryFn: async ({ signal }) => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: FEW_PEOPLE }, signal })
      return items.map(({ username }) => username)
    },
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
