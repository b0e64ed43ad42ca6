import { ApiError, ModelMapping, optionDefinition } from '@tidegate/contract'
import { auditEvents, loadSettings, options } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { entityTag, requireMatch } from '../http/etag.ts'

const KEY = 'global_model_mapping'

/** Replaces all virtual models and returns their new version; all nodes use them within two seconds. */
export async function updateVirtualModels(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp'>,
  actor: Actor,
  body: unknown,
  { ifMatch, ...origin }: Origin & { ifMatch?: readonly string[] | undefined },
): Promise<string> {
  const { format } = optionDefinition(KEY)
  const after = format(checkVirtualModels(body))
  return changeCatalog(deps, async (transaction) => {
    const before = format((await loadSettings(transaction, deps.vault))[KEY])
    requireMatch(ifMatch, [entityTag([KEY, before])])
    await options.put(transaction, { key: KEY, value: after, sealed: false }, actor.id)
    const change = { action: 'option.update', subject: KEY, details: { before, after } }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
    return entityTag([KEY, after])
  })
}

/** Makes all nodes reload the stored virtual models; throws when they cannot be parsed. */
export async function reloadVirtualModels(deps: Pick<Deps, 'db' | 'catchUp'>): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    const stored = await transaction.selectFrom('option').select('value').where('key', '=', KEY).executeTakeFirst()
    try {
      optionDefinition(KEY).parse(stored?.value ?? '')
    } catch (error) {
      throw new ApiError('model_mapping_unreadable', {}, { cause: error })
    }
  })
}

/** The virtual models and their version. */
export function currentVirtualModels({ catalog }: Pick<Deps, 'catalog'>): { mapping: ModelMapping; etag: string } {
  const mapping = catalog().settings[KEY]
  return { mapping, etag: entityTag([KEY, optionDefinition(KEY).format(mapping)]) }
}

const MAX_NAME_LENGTH = 256

/** Validates virtual models; throws at the first error. */
export function checkVirtualModels(body: unknown): ModelMapping {
  const mapping = asObject(asObject(body)?.mapping)
  if (!mapping) throw new ApiError('model_mapping_malformed')
  const names = new Set(Object.keys(mapping))
  for (const [name, targets] of Object.entries(mapping)) checkVirtualModel(name, targets, names)
  const read = ModelMapping.safeParse({ mapping })
  if (!read.success) throw new ApiError('model_mapping_malformed', {}, { cause: read.error })
  return read.data
}

function checkVirtualModel(name: string, targets: unknown, virtualNames: ReadonlySet<string>): void {
  if (name.trim() === '') throw new ApiError('model_mapping_name_required')
  if (!isUsable(name)) throw new ApiError('model_mapping_name_invalid', { name: quoteName(name) })
  if (!Array.isArray(targets) || targets.length === 0) throw new ApiError('model_mapping_targets_required', { name })
  const seen = new Set<string>()
  for (const target of targets as unknown[]) {
    const { model, priorities = 0 } = asObject(target) ?? {}
    const trimmed = typeof model === 'string' ? model.trim() : ''
    if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) throw new ApiError('model_mapping_target_blank', { name })
    if (seen.has(trimmed)) throw new ApiError('model_mapping_target_repeated', { name, model: trimmed })
    if (virtualNames.has(trimmed)) throw new ApiError('model_mapping_target_virtual', { name, model: trimmed })
    if (!Number.isSafeInteger(priorities) || (priorities as number) < 0) {
      throw new ApiError('model_mapping_priority_invalid', { name })
    }
    seen.add(trimmed)
  }
}

/** Names that a request can contain and that are not on the object prototype. */
function isUsable(name: string): boolean {
  return name === name.trim() && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name) && !(name in Object.prototype)
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 64))
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
