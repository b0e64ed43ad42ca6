import { ApiError, candidateGroups, limitsOf, type ModelLimits, modelTraits } from '@tidegate/contract'
import type { DialectId } from '@tidegate/dialects'
import type { Caller, Catalog, CatalogChannel } from '../ports/index.ts'
import { knownPrice } from '../route/candidates.ts'
import { upstreamName } from '../route/model-names.ts'

export interface Audience {
  readonly catalog: Catalog
  readonly caller: Caller
  readonly group: string
}

/** The caller's models in the format of its protocol. */
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

interface NamedModel {
  readonly id: string
  /** The name without the prefix of its channels. */
  readonly root: string
  /** A virtual model. */
  readonly virtual: boolean
  /** Undefined where they are not published. */
  readonly limits: ModelLimits | undefined
}

/** The models that a caller can use: those of its groups that have a price, within the token's model limits. */
function listModels(audience: Audience): NamedModel[] {
  const { catalog, caller, group } = audience
  const groups = candidateGroups(catalog.settings, caller.userGroup, group)
  const virtual = virtualModels(audience, groups)
  if (caller.modelLimitsEnabled) {
    return caller.modelLimits.map((name) =>
      virtual.includes(name)
        ? virtualModel(audience, name)
        : { id: name, root: name, virtual: false, limits: limitsOf(name) },
    )
  }
  const named = new Map<string, NamedModel>()
  for (const name of groups) {
    for (const root of catalog.modelsFor(name)) {
      for (const channel of catalog.channelsFor(name, root)) {
        const id = channel.modelPrefix + root
        if (named.has(id) || !hasPrice({ ...audience, group: name }, channel, { id, root })) continue
        const limits = limitsOf(root) ?? limitsOf(upstreamName(channel, root, id))
        named.set(id, { id, root, virtual: false, limits })
      }
    }
  }
  for (const name of virtual) named.set(name, virtualModel(audience, name))
  return [...named.values()]
}

/** Any target may serve a request, so the limits are those of the smallest. */
function virtualModel({ catalog }: Audience, name: string): NamedModel {
  const targets = catalog.settings.global_model_mapping.mapping[name] ?? []
  const known = targets.map(({ model }) => limitsOf(model)).filter((limits) => limits !== undefined)
  const limits = known.reduce<ModelLimits | undefined>(
    (least, next) => (least && least.context <= next.context ? least : next),
    undefined,
  )
  return { id: name, root: name, virtual: true, limits }
}

/** Virtual models with at least one target that has a price and is served to one of the groups. */
function virtualModels(audience: Audience, groups: readonly string[]): string[] {
  const { catalog } = audience
  const isServed = (id: string, root: string) =>
    groups.some((group) =>
      catalog.channelsFor(group, root).some((channel) => hasPrice({ ...audience, group }, channel, { id, root })),
    )
  return Object.entries(catalog.settings.global_model_mapping.mapping)
    .filter(([id, targets]) => targets.some(({ model }) => isServed(id, model)))
    .map(([name]) => name)
}

/** Whether a request by this name would be billed on the channel, or rejected because it has no price. */
function hasPrice(
  { catalog, caller, group }: Audience,
  channel: CatalogChannel,
  { id, root }: Pick<NamedModel, 'id' | 'root'>,
): boolean {
  const { userGroup, userSetting } = caller
  const upstream = upstreamName(channel, root, id)
  try {
    knownPrice(catalog, {
      modelName: id,
      upstreamName: upstream,
      group,
      userGroup,
      acceptUnset: userSetting.acceptUnsetRatio,
    })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

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

function forOpenai({ id, root, virtual, limits }: NamedModel) {
  const owner = virtual ? 'virtual' : (modelTraits(root).owner ?? 'custom')
  return {
    id,
    object: 'model',
    created: CREATED,
    owned_by: owner,
    permission: [PERMISSION],
    root,
    parent: null,
    // OpenAI has no limits here. Clients read the names of OpenRouter.
    ...(limits && { context_length: limits.context }),
    ...(limits?.maxOutput !== undefined && { max_completion_tokens: limits.maxOutput }),
  }
}

const CLAUDE_LINE = /^claude-(?:[\d.-]+-)?(haiku|sonnet|opus|fable|mythos)\b/

function forAnthropic({ id, root, limits }: NamedModel) {
  return {
    id,
    type: 'model',
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: CLAUDE_LINE.exec(root)?.[1] ?? null,
    max_input_tokens: limits?.context ?? null,
    max_tokens: limits?.maxOutput ?? null,
    capabilities: null,
  }
}

function forGemini({ id, limits }: NamedModel) {
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: 'v1beta',
    displayName: id,
    description: '',
    ...(limits && { inputTokenLimit: limits.context, outputTokenLimit: limits.maxOutput }),
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }
}
