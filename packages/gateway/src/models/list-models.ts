import { Refusal } from '@tidegate/contract'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Catalog } from '../ports.ts'

const CREATED = 1626777600
const PERMISSION = {
  id: 'modelperm-tidegate',
  object: 'model_permission',
  created: CREATED,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
}

/** The models a caller can ask for: the limits of its token, or else all that its group is served. */
export function listModels(catalog: Catalog, caller: Caller, group: string) {
  return { success: true, object: 'list', data: modelNames(catalog, caller, group).map(modelObject) }
}

/** The same list for clients that speak Anthropic's protocol. */
export function listModelsForAnthropic(catalog: Catalog, caller: Caller, group: string) {
  const data = modelNames(catalog, caller, group).map(({ id }) => ({
    id,
    type: 'model',
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
  }))
  return { data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false }
}

export function findModel(catalog: Catalog, caller: Caller, group: string, id: string) {
  const found = modelNames(catalog, caller, group).find((model) => model.id === id)
  if (!found) throw new Refusal('model_not_found', { model: id })
  return modelObject(found)
}

interface NamedModel {
  readonly id: string
  /** The name without the prefix of its channels. */
  readonly root: string
}

function modelNames(catalog: Catalog, caller: Caller, group: string): NamedModel[] {
  if (caller.modelLimitsEnabled) return caller.modelLimits.map((name) => ({ id: name, root: name }))
  const named = new Map<string, string>()
  for (const root of catalog.modelsFor(group)) {
    for (const { modelPrefix } of catalog.channelsFor(group, root)) named.set(modelPrefix + root, root)
  }
  return [...named].map(([id, root]) => ({ id, root }))
}

function modelObject({ id, root }: NamedModel) {
  return {
    id,
    object: 'model',
    created: CREATED,
    owned_by: ownerOf(root),
    permission: [PERMISSION],
    root,
    parent: null,
  }
}

function ownerOf(name: string): string {
  return /^(gpt-|chatgpt-|o\d|text-embedding-|text-moderation-|whisper-|tts-|dall-e|davinci|babbage)/.test(name)
    ? 'openai'
    : 'custom'
}
