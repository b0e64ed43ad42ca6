import { optionDefinition, ApiError, type ModelMapping } from '@tidegate/contract'
import { auditEvents, loadSettings, options } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { checkMapping } from './check-mapping.ts'

const KEY = 'global_model_mapping'

/** Replaces all virtual models; every node uses the new ones within two seconds. */
export async function updateMapping(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp'>,
  actor: Actor,
  body: unknown,
  origin: Origin,
): Promise<void> {
  const { format } = optionDefinition(KEY)
  const after = format(checkMapping(body))
  await changeCatalog(deps, async (transaction) => {
    const before = format((await loadSettings(transaction, deps.vault))[KEY])
    await options.put(transaction, { key: KEY, value: after, sealed: false }, actor.id)
    const change = { action: 'option.update', subject: KEY, details: { before, after } }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
  })
}

/** Makes every node read what is stored, and says so when it cannot be read. */
export async function reloadMapping(deps: Pick<Deps, 'db' | 'catchUp'>): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    const stored = await transaction.selectFrom('option').select('value').where('key', '=', KEY).executeTakeFirst()
    try {
      optionDefinition(KEY).parse(stored?.value ?? '')
    } catch (error) {
      throw new ApiError('model_mapping_unreadable', {}, { cause: error })
    }
  })
}

export function currentMapping({ catalog }: Pick<Deps, 'catalog'>): ModelMapping {
  return catalog().settings[KEY]
}
