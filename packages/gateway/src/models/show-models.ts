import { limitsOf, ApiError } from '@tidegate/contract'
import type { DialectId } from '@tidegate/dialects'
import { listModels, type Audience, type NamedModel } from './list-models.ts'

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

/** The caller's models in the shape its protocol has for them. */
export function showModels(protocol: DialectId, audience: Audience): object {
  const models = listModels(audience)
  switch (protocol) {
    case 'anthropic-messages': {
      const data = models.map(forAnthropic)
      return { data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false }
    }
    case 'gemini-generate':
      return { models: models.map(forGemini) }
    default:
      return { success: true, object: 'list', data: models.map(forOpenai) }
  }
}

export function showModel(protocol: DialectId, audience: Audience, id: string): object {
  const found = listModels(audience).find((model) => model.id === id)
  if (!found) throw new ApiError('model_not_found', { model: id })
  switch (protocol) {
    case 'anthropic-messages':
      return forAnthropic(found)
    case 'gemini-generate':
      return forGemini(found)
    default:
      return forOpenai(found)
  }
}

function forOpenai({ id, root, virtual }: NamedModel) {
  const owner = virtual ? 'virtual' : ownerOf(root)
  return { id, object: 'model', created: CREATED, owned_by: owner, permission: [PERMISSION], root, parent: null }
}

function forAnthropic({ id }: NamedModel) {
  return { id, type: 'model', display_name: id, created_at: new Date(CREATED * 1000).toISOString() }
}

function forGemini({ id, root }: NamedModel) {
  const limits = limitsOf(root)
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: 'v1beta',
    displayName: id,
    description: '',
    ...(limits && { inputTokenLimit: limits.context, outputTokenLimit: limits.maxOutput }),
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
  }
}

const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|chatgpt-|o\d|text-embedding-|text-moderation-|whisper-|tts-|dall-e|davinci|babbage|codex)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(gemini-|imagen-|gemma-)/, 'google'],
  [/^deepseek-/, 'deepseek'],
  [/^grok-/, 'xai'],
]

function ownerOf(name: string): string {
  return OWNERS.find(([names]) => names.test(name))?.[1] ?? 'custom'
}
