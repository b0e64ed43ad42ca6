import { users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { usableGroups } from './groups.ts'
import type { Actor } from '../http/actor.ts'
import { priceList, type Reader } from './price-list.ts'

/** Visitors without an account see what a new user would. */
const GROUP_OF_VISITORS = 'default'

/** Who reads prices: the groups they may use, and whether they accept models without a price. */
export async function readerOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  actor: Pick<Actor, 'id' | 'group'> | undefined,
  pricedGroup?: string,
): Promise<Reader> {
  const ownGroup = actor?.group ?? GROUP_OF_VISITORS
  const groups = usableGroups(catalog().settings, ownGroup)
  const user = actor && (await users.findById(db, actor.id))
  const acceptUnset = user?.setting['accept_unset_model_ratio_model'] === true
  const ratios = Object.fromEntries([...groups].map(([group, { ratio }]) => [group, ratio]))
  return { ownGroup, groups: [...groups.keys()], acceptUnset, ratios, pricedGroup }
}

/** The names that a user can call: those of the price list. */
export async function callableModels(
  deps: Pick<Deps, 'db' | 'catalog'>,
  actor: Pick<Actor, 'id' | 'group'>,
): Promise<string[]> {
  const reader = await readerOf(deps, actor)
  return priceList(deps.catalog(), reader).map(({ model_name }) => model_name)
}
