import type { api, QueryOf } from '@tidegate/contract'
import { users, usageSums, type LogFilters } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

type LogQuery = QueryOf<typeof api.getLogStat>

const NO_USER = -1

/** What the screen asks, as the log knows it: a name becomes a user, a pattern the models it means. */
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

/** `%` stands for any text and `_` for any sign. A name without either is taken as it is, whether anybody used it or not. */
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
