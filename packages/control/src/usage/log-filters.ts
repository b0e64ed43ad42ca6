import { ApiError, type api, type QueryOf } from '@tidegate/contract'
import { users, usageSums, type LogCursor, type LogFilters } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

type LogQuery = QueryOf<typeof api.getLogStat>

const NO_USER = -1

/** Resolves query filters: usernames to user IDs, a pattern to model names. */
export async function readFilters(
  deps: Pick<Deps, 'db' | 'catalog'>,
  { username, usernames, model_name, models, status, error_codes, stream, min_duration_ms, ...rest }: LogQuery,
): Promise<LogFilters> {
  return {
    ...rest,
    ...(username !== undefined && { userId: (await users.findIdByName(deps.db, username)) ?? NO_USER }),
    ...(usernames && { userIds: await idsOf(deps, usernames) }),
    ...((model_name ?? models) !== undefined && { models: await modelsOf(deps, model_name, models) }),
    ...(status && { statuses: status }),
    ...(error_codes && { errorCodes: error_codes }),
    ...(stream !== undefined && { isStream: stream }),
    ...(min_duration_ms !== undefined && { minDurationMs: min_duration_ms }),
  }
}

async function idsOf({ db }: Pick<Deps, 'db'>, usernames: readonly string[]): Promise<number[]> {
  const ids = await users.findIdsByNames(db, usernames)
  return ids.length === 0 ? [NO_USER] : ids
}

async function modelsOf(
  deps: Pick<Deps, 'db' | 'catalog'>,
  pattern: string | undefined,
  names: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (pattern === undefined) return names ?? []
  const matching = await modelsLike(deps, pattern)
  return names ? matching.filter((name) => names.includes(name)) : matching
}

/** `%` matches any text and `_` any character. Names without them are used as they are. */
async function modelsLike({ db, catalog }: Pick<Deps, 'db' | 'catalog'>, pattern: string): Promise<string[]> {
  if (!/[%_]/.test(pattern)) return [pattern]
  const matches = likeExpression(pattern)
  const offered = [...catalog().channels.values()].flatMap(({ models }) => models)
  const names = new Set([...(await usageSums.modelNames(db)), ...offered, pattern])
  return [...names].filter((name) => matches.test(name))
}

function likeExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  return new RegExp(`^${source}$`, 'su')
}

/** A position in the log, as opaque text. */
export function writeCursor({ exactly, id }: LogCursor): string {
  return Buffer.from(`${exactly} ${id}`).toString('base64url')
}

export function readCursor(text: string): LogCursor {
  const [exactly = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ')
  const second = exactly.slice(0, 19)
  // A date that does not exist would be an error of the database.
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(exactly) && isoSecond(exactly) === second
  if (!isTime || !/^\d{1,15}$/.test(id)) throw new ApiError('log_cursor_invalid')
  return { exactly, id: Number(id) }
}

function isoSecond(time: string): string | undefined {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 19)
}
