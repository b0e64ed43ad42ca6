import { api, type Endpoint } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'

/** A query that a screen sends. */
export interface LogQuery {
  readonly name: string
  readonly who: 'administrator' | 'user'
  readonly endpoint: Endpoint
  readonly query: Record<string, string | number>
}

const DAY = 86_400

/** Every filter of the screens, some combined, and the queries of the dashboard and the user list. */
export function queriesAt(now: number): LogQuery[] {
  const since = (days: number) => ({ start_timestamp: now - days * DAY, end_timestamp: now + 3600 })
  const ofSite: Record<string, LogQuery['query']> = {
    today: since(1),
    '90 days': since(90),
    'a month, two months ago': { start_timestamp: now - 60 * DAY, end_timestamp: now - 30 * DAY },
    errors: { ...since(90), type: 6 },
    'a user with much use': { ...since(90), username: 'user1000' },
    'a user with little use': { ...since(90), username: 'user5900' },
    'a token': { ...since(90), token_name: 'key-300-1' },
    'a busy model': { ...since(90), model_name: 'model-0' },
    'a rare model': { ...since(90), model_name: 'model-59' },
    'models by a pattern': { ...since(90), model_name: 'model-5%' },
    'an unused model': { ...since(90), model_name: 'nothing' },
    'a busy channel': { ...since(90), channel: 1 },
    'an idle channel': { ...since(90), channel: 1999 },
    'a small group': { ...since(90), group: 'svip' },
    'a channel and a model': { ...since(90), channel: 1, model_name: 'model-59' },
    'a user and a channel': { ...since(90), username: 'user1000', channel: 500 },
    'a request id': { request_id: '20260101000000000nothing' },
  }
  const own: Record<string, LogQuery['query']> = {
    today: since(1),
    '90 days': since(90),
    'a token': { ...since(90), token_name: 'key-300-1' },
    'a rare model': { ...since(90), model_name: 'model-59' },
    'a small group': { ...since(90), group: 'svip' },
  }
  const deep = { 'page 500 of 20': { p: 500, page_size: 20 }, 'page 1000 of 100': { p: 1000, page_size: 100 } }
  return [
    ...each('list', 'administrator', api.listLogs, { ...ofSite, ...deep }),
    ...each('stat', 'administrator', api.getLogStat, ofSite),
    ...each('list', 'user', api.listOwnLogs, { ...own, ...deep }),
    ...each('stat', 'user', api.getOwnLogStat, own),
    ...each('dashboard', 'administrator', api.getSiteData, {
      '24 hours': since(1),
      '7 days': { ...since(7), default_time: 'day' },
      '30 days': { ...since(30), default_time: 'week' },
      '90 days': { ...since(90), default_time: 'day' },
      'a user, 30 days': { ...since(30), username: 'user1000', default_time: 'day' },
    }),
    ...each('ranking', 'administrator', api.getUserRanking, { '24 hours': since(1), '30 days': since(30) }),
    ...each('dashboard', 'user', api.getOwnData, {
      '24 hours': since(1),
      '30 days': { ...since(30), default_time: 'week' },
    }),
    ...each('users', 'administrator', api.searchUsers, { 'by name': { keyword: 'user12' } }),
  ]
}

function each(what: string, who: LogQuery['who'], endpoint: Endpoint, queries: Record<string, LogQuery['query']>) {
  return Object.entries(queries).map(([name, query]): LogQuery => ({ name: `${what}: ${name}`, who, endpoint, query }))
}

export type LogClients = Record<LogQuery['who'], ApiClient>

/** Runs every query this many times, in rounds. Returns the milliseconds of each response by query. */
export async function runQueries(
  clients: LogClients,
  queries: readonly LogQuery[],
  rounds: number,
): Promise<number[][]> {
  const times: number[][] = queries.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { who, endpoint, query }] of queries.entries()) {
      const startedAt = performance.now()
      await clients[who].call(endpoint, { query })
      times[index]!.push(performance.now() - startedAt)
    }
  }
  return times
}
