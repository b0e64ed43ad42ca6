import { createHash } from 'node:crypto'
import { api } from '@tidegate/contract'
import type { ImportChannel } from '../../model/import-data.ts'
import type { Report } from '../../report.ts'
import type { Deployment } from './config.ts'

/** Deployments with the same provider, address and key become one channel, unless they map one name to two models. */
interface ChannelDraft {
  readonly provider: string
  readonly type: number
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly weight: number
  readonly priority: number
  readonly models: Map<string, string>
}

const VERTEX = 41
/** LiteLLM tries a smaller `order` first; here a larger priority comes first. */
const FIRST_PRIORITY = 100

export function readDeployments(
  deployments: readonly Deployment[],
  report: Report,
  variable: Variable,
): ImportChannel[] {
  const drafts: ChannelDraft[] = []
  for (const deployment of deployments) {
    report.counts.channels.found += 1
    const draft = readDeployment(deployment, report, variable)
    if (draft) addDraft(drafts, draft)
  }
  return drafts.map(toChannel)
}

function readDeployment(deployment: Deployment, report: Report, variable: Variable): ChannelDraft | undefined {
  const { model_name: name, litellm_params: params } = deployment
  const note = (outcome: 'left' | 'changed', reason: string) =>
    report.note('channels', outcome, reason, `${name} (${params.model})`)
  const { provider, upstreamModel } = splitModel(params.model)
  const target = PROVIDERS[provider]
  const configured = (params.api_base ?? params.base_url ?? '').replace(/\/+$/, '')
  if (!target) return note('left', `provider ${provider} is not supported`)
  if (name.includes('*') || upstreamModel.includes('*')) return note('left', 'names with * are not supported')
  if (target.needsBase && configured === '') return note('left', 'has no address')

  const extras = Object.keys(params).filter((param) => !KNOWN_PARAMS.has(param))
  for (const param of extras) note('changed', `${param} is not supported`)
  const key = readKey(target.type, params, variable)
  if (key.missing) note('changed', `${key.missing} is not set: imported without a key and disabled`)
  return {
    provider,
    type: target.type,
    key: key.key,
    baseUrl: addressOf(target, configured),
    other: target.type === VERTEX ? (params.vertex_location ?? 'us-central1') : (params.api_version ?? ''),
    organization: params.organization ?? '',
    weight: Math.max(0, Math.round(params.weight ?? 0)),
    priority: params.order === undefined ? 0 : FIRST_PRIORITY - Math.round(params.order),
    models: new Map([[name, upstreamModel]]),
  }
}

const KNOWN_PARAMS: ReadonlySet<string> = new Set([
  'model',
  'api_key',
  'api_base',
  'base_url',
  'api_version',
  'organization',
  'weight',
  'order',
  'input_cost_per_token',
  'output_cost_per_token',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_region_name',
  'vertex_location',
  'vertex_credentials',
  'vertex_project',
])

/** `/v1` is added to OpenAI addresses here. */
function addressOf({ type, baseUrl = '' }: ProviderTarget, configured: string): string {
  const address = configured === '' ? baseUrl : configured
  return type === 1 ? address.replace(/\/v1$/, '') : address
}

function addDraft(drafts: ChannelDraft[], added: ChannelDraft): void {
  const [[name, model] = ['', '']] = added.models
  const same = drafts.find(
    (draft) => draftKey(draft) === draftKey(added) && (draft.models.get(name) ?? model) === model,
  )
  if (same) same.models.set(name, model)
  else drafts.push(added)
}

function draftKey({ models: _models, ...key }: ChannelDraft): string {
  return JSON.stringify(key)
}

function toChannel(draft: ChannelDraft, index: number, drafts: readonly ChannelDraft[]): ImportChannel {
  const { provider, key, models, organization, baseUrl, type, other, weight, priority } = draft
  const before = drafts.slice(0, index).filter((earlier) => earlier.provider === provider).length
  const renamed = [...models].filter(([name, model]) => name !== model)
  const sameKey = drafts.slice(0, index).filter((earlier) => draftKey(earlier) === draftKey(draft)).length
  return {
    // Identified by content and not by position, because the file may be reordered before the next run.
    sourceId: createHash('sha256')
      .update(`${draftKey(draft)} ${sameKey}`)
      .digest('hex')
      .slice(0, 32),
    keys: key === '' ? [] : [key],
    keyStatuses: new Map(),
    columns: {
      type,
      name: before === 0 ? provider : `${provider} ${before + 1}`,
      status: key === '' ? api.CHANNEL_STATUS.disabled : api.CHANNEL_STATUS.enabled,
      base_url: baseUrl,
      models: [...models.keys()].join(','),
      group: 'default',
      model_mapping: renamed.length === 0 ? '' : JSON.stringify(Object.fromEntries(renamed)),
      status_code_mapping: '',
      priority,
      weight,
      auto_ban: true,
      test_model: '',
      tag: '',
      model_prefix: '',
      setting: '',
      param_override: '',
      header_override: '',
      system_prompt: '',
      openai_organization: organization,
      other,
      used_quota: 0,
      created_at: undefined,
      tested_at: null,
      response_time_ms: 0,
    },
  }
}

/** Reads an environment variable. */
export type Variable = (name: string) => string | undefined

const FROM_ENVIRONMENT = 'os.environ/'
const OLLAMA = 4
const AWS = 33

/** The key of a deployment in the format of its channel type, or the name of what is missing. */
function readKey(
  type: number,
  params: Deployment['litellm_params'],
  variable: Variable,
): { key: string; missing?: string } {
  if (type === VERTEX) {
    const credentials = params.vertex_credentials
    const document = typeof credentials === 'object' && credentials ? JSON.stringify(credentials) : credentials
    return resolve([typeof document === 'string' ? document : ''], 'vertex_credentials', variable)
  }
  if (type === AWS) {
    const parts = [params.aws_access_key_id, params.aws_secret_access_key, params.aws_region_name]
    return resolve(parts, 'aws_access_key_id', variable)
  }
  // A local Ollama needs no key, but a channel does.
  if (type === OLLAMA && params.api_key === undefined) return { key: 'ollama' }
  return resolve([params.api_key], 'api_key', variable)
}

function resolve(parts: readonly (string | undefined)[], field: string, variable: Variable) {
  const values: string[] = []
  for (const part of parts) {
    const name = part?.startsWith(FROM_ENVIRONMENT) ? part.slice(FROM_ENVIRONMENT.length) : undefined
    const value = name === undefined ? part : variable(name)
    if (value === undefined || value.trim() === '') return { key: '', missing: name ?? field }
    values.push(value.trim())
  }
  return { key: values.join('|') }
}

/** The channel type for a LiteLLM provider. */
interface ProviderTarget {
  readonly type: number
  /** The address of OpenAI-compatible providers without their own channel type. */
  readonly baseUrl?: string
  /** The file must contain the address. */
  readonly needsBase?: true
}

/** By the prefix of the model name. */
const PROVIDERS: Readonly<Record<string, ProviderTarget>> = {
  openai: { type: 1 },
  text_completion_openai: { type: 1 },
  custom_openai: { type: 1, needsBase: true },
  openai_like: { type: 1, needsBase: true },
  hosted_vllm: { type: 1, needsBase: true },
  litellm_proxy: { type: 1, needsBase: true },
  groq: { type: 1, baseUrl: 'https://api.groq.com/openai' },
  together_ai: { type: 1, baseUrl: 'https://api.together.xyz' },
  fireworks_ai: { type: 1, baseUrl: 'https://api.fireworks.ai/inference' },
  deepinfra: { type: 1, baseUrl: 'https://api.deepinfra.com/v1/openai' },
  azure: { type: 3, needsBase: true },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  anthropic: { type: 14 },
  openrouter: { type: 20 },
  gemini: { type: 24 },
  moonshot: { type: 25 },
  perplexity: { type: 27 },
  bedrock: { type: 33 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  minimax: { type: 35 },
  jina_ai: { type: 38 },
  vertex_ai: { type: 41 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  volcengine: { type: 45 },
  xai: { type: 48 },
  github: { type: 49 },
}

/** LiteLLM recognizes the providers of well-known models without a prefix. */
function splitModel(model: string): { provider: string; upstreamModel: string } {
  const [first = '', ...rest] = model.split('/')
  if (rest.length > 0) return { provider: first, upstreamModel: rest.join('/') }
  return { provider: model.startsWith('claude') ? 'anthropic' : 'openai', upstreamModel: model }
}
