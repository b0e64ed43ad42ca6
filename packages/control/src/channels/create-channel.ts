import { Refusal, type api, type Settings } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { auditEvents, channelKeyContext, channels } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'

export async function createChannel(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp'>,
  actor: Actor,
  input: api.NewChannel,
  origin: Origin,
): Promise<void> {
  const fields = checkChannel(input, deps.catalog().settings)
  await changeCatalog(deps, async (transaction) => {
    const id = await channels.nextId(transaction)
    const sealed_key = deps.vault.seal('channel-key', channelKeyContext(id), input.key.trim())
    await channels.insert(transaction, { id, sealed_key, ...fields })
    await channels.rebuildAbilities(transaction, id)
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.create',
      subject: String(id),
      ...origin,
    })
  })
}

/** The rules of the form, held by the server: the first that is broken answers. */
function checkChannel(input: api.NewChannel, settings: Pick<Settings, 'GroupRatio'>) {
  const name = input.name.trim()
  if (name === '' || input.key.trim() === '') throw new Refusal('channel_name_key_required')
  const models = splitNames(input.models)
  if (models.length === 0) throw new Refusal('channel_models_required')
  if (!CHANNEL_TYPES.has(input.type)) throw new Refusal('channel_type_unknown', { type: input.type })
  const groups = splitNames(input.group)
  const unknown = groups.find((group) => !Object.hasOwn(settings.GroupRatio, group))
  if (unknown !== undefined || groups.length === 0) throw new Refusal('group_unknown', { group: unknown ?? '' })
  return {
    type: input.type,
    name: name.slice(0, 255),
    base_url: checkBaseUrl(input),
    models: models.join(','),
    group: groups.join(','),
    model_mapping: checkJson('model_mapping', input.model_mapping),
    status_code_mapping: checkJson('status_code_mapping', input.status_code_mapping),
    setting: checkJson('setting', input.setting),
    param_override: checkJson('param_override', input.param_override),
    priority: input.priority ?? 0,
    weight: input.weight ?? 0,
    auto_ban: input.auto_ban !== 0,
    test_model: input.test_model ?? '',
    tag: input.tag?.trim() ?? '',
    model_prefix: input.model_prefix?.trim() ?? '',
    system_prompt: input.system_prompt ?? '',
    max_input_tokens: input.max_input_tokens ?? 0,
    openai_organization: input.openai_organization?.trim() ?? '',
    other: input.other ?? '',
  }
}

function checkBaseUrl({ type, base_url }: api.NewChannel): string {
  const address = base_url.trim().replace(/\/+$/, '')
  if (address === '') {
    if (!CHANNEL_TYPES.get(type)?.baseUrl) throw new Refusal('channel_base_url_required')
    return ''
  }
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Refusal('channel_base_url_invalid')
  return address
}

function checkJson(field: string, text: string | null | undefined): string {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return ''
  try {
    const value: unknown = JSON.parse(trimmed)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return trimmed
  } catch {
    // falls through to the refusal: what is wrong is the same either way
  }
  throw new Refusal('channel_json_invalid', { field })
}

function splitNames(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ]
}
