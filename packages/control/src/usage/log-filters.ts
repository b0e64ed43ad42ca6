import type { api, QueryOf } from '@tidegate/contract'
import { users, usageSums, type LogFilters } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

type LogQuery = QueryOf<typeof api.getLogStat>

const NO_USER = -1

/** Resolves query filters: a username to a user id, a pattern to model names. */
export async function readFilters(
  deps: Pick<Deps, 'db' | 'catalog'>,
  { username, model_name, ...rest }: LogQuery,
): Promise<LogFilters> {
  return {
    ...rest,
    ...(username !== undefined && { userId: (await users.findIdByName(deps.db, username)) ?? NO_USER }),
    ...(model_name !== undefined && { models: await modelsLike(deps, model_name) }),
  }
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
