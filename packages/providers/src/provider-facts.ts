import type { OperationId } from './operation.ts'
import type { TaskKind } from './task.ts'

/** What a provider can support. */
export type Capability =
  | 'chats'
  | 'streams'
  | 'counts'
  | 'streamed counts'
  | OperationId
  | TaskKind
  | 'model list'
  | 'balance'

/** The only place where a key is sent. */
export type KeyLocation =
  | { readonly as: 'header'; readonly name: string; readonly prefix?: string }
  /** The key is not sent, only a signature or a token made from it. */
  | { readonly as: 'derived'; readonly description: string }

/** Facts that the provider record does not contain. The conformance suite compares both. */
export interface ProviderFacts {
  readonly key: KeyLocation
  /** Unsupported capabilities and the reason. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>
}

const BEARER: KeyLocation = { as: 'header', name: 'authorization', prefix: 'Bearer ' }

const NO_OPENAI_API = 'the provider has no OpenAI-compatible endpoint'
const CUSTOM_API = 'the provider’s own endpoint is not supported'
const CHAT_ONLY = 'only available in chats'
const NO_CHAT = 'the provider has no chat API'
const NOT_IMPLEMENTED = 'available at the provider, not supported yet'
const NOT_AVAILABLE = 'not available with an API key'
const UNKNOWN = 'no such endpoint is documented'
const NOT_REQUESTED = 'not requested, because some of these providers reject the option; tokens are counted here'

type MissingCapabilities = ProviderFacts['lacks']

function missingBecause(reason: string, ...abilities: readonly Capability[]): MissingCapabilities {
  return Object.fromEntries(abilities.map((ability) => [ability, reason]))
}

const AUDIO = ['speech', 'transcription', 'translation'] as const
const IMAGES = ['image-generation', 'image-edit', 'image-variation'] as const
const CHAT = ['chats', 'streams', 'counts', 'streamed counts'] as const
const OPERATIONS = ['embeddings', 'rerank', 'moderations', ...IMAGES, ...AUDIO, 'realtime'] as const

/** Resellers of OpenAI's API, without realtime. */
const reseller = (lacks: MissingCapabilities = {}): ProviderFacts => ({
  key: BEARER,
  lacks: {
    ...missingBecause(UNKNOWN, 'realtime', 'balance'),
    ...missingBecause(NOT_REQUESTED, 'streamed counts'),
    ...lacks,
  },
})

/** OpenAI-compatible, with everything except `lacks`. */
const openaiCompatible = (lacks: MissingCapabilities): ProviderFacts => ({ key: BEARER, lacks })

/** A proxy for tasks of one kind. */
const taskProxy = (key: KeyLocation, reason: string): ProviderFacts => ({
  key,
  lacks: { ...missingBecause(reason, ...CHAT, ...OPERATIONS, 'model list'), balance: NOT_AVAILABLE },
})

/** They generate videos, each with its own API. */
const HAS_CUSTOM_VIDEO_API = new Set([
  'azure',
  'bedrock',
  'dashscope',
  'gemini',
  'minimax',
  'siliconflow',
  'vertex',
  'volcano',
  'xai',
  'zhipu',
])

/** Supported task kinds by provider. */
const TASK_KINDS: Readonly<Record<string, readonly TaskKind[]>> = {
  openai: ['video'],
  midjourney: ['drawing'],
  'midjourney-plus': ['drawing'],
  suno: ['music'],
}

const FACTS: Readonly<Record<string, ProviderFacts>> = {
  openai: { key: BEARER, lacks: {} },
  azure: {
    key: { as: 'header', name: 'api-key' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-variation'),
      'model list': 'models are deployments, and the key cannot list them',
      balance: 'credit belongs to the subscription and is not available with an API key',
    },
  },
  ollama: {
    key: BEARER,
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', ...IMAGES, ...AUDIO, 'realtime'),
      balance: 'a self-hosted server has no account',
    },
  },
  custom: {
    key: BEARER,
    lacks: {
      ...missingBecause('a channel with a full URL has one endpoint', ...OPERATIONS),
      ...missingBecause(NOT_REQUESTED, 'streamed counts'),
    },
  },
  anthropic: {
    key: { as: 'header', name: 'x-api-key' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, ...OPERATIONS),
      balance: NOT_AVAILABLE,
    },
  },
  bedrock: {
    key: { as: 'derived', description: 'Amazon’s signature, version 4, in `authorization`' },
    lacks: {
      ...missingBecause('only chats with Claude are supported', ...OPERATIONS),
      'model list': 'needs another host and another permission than chats',
      balance: NOT_AVAILABLE,
    },
  },
  gemini: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-variation'),
      ...missingBecause(CHAT_ONLY, 'image-edit', ...AUDIO),
      realtime: 'its realtime API is not OpenAI-compatible',
      balance: NOT_AVAILABLE,
    },
  },
  vertex: {
    key: { as: 'derived', description: 'an access token for the service account, in `authorization`' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-variation', ...AUDIO),
      ...missingBecause('only supported in chats so far', 'embeddings', 'image-generation', 'image-edit'),
      realtime: 'its realtime API is not OpenAI-compatible',
      'model list': NOT_AVAILABLE,
      balance: NOT_AVAILABLE,
    },
  },
  zhipu: {
    key: {
      as: 'derived',
      description: 'a short-lived token signed with the secret part, in `authorization`, without a scheme',
    },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'moderations', 'image-edit', 'image-variation', 'translation'),
      realtime: 'its realtime API is not OpenAI-compatible',
      balance: NOT_AVAILABLE,
    },
  },
  dashscope: openaiCompatible({
    ...missingBecause(CUSTOM_API, 'rerank', 'image-edit', ...AUDIO, 'realtime'),
    ...missingBecause(NO_OPENAI_API, 'moderations', 'image-variation'),
    balance: NOT_AVAILABLE,
  }),
  fastgpt: openaiCompatible({
    ...missingBecause('an assistant has one endpoint', ...OPERATIONS),
    ...missingBecause(NOT_REQUESTED, 'streamed counts'),
    balance: UNKNOWN,
  }),
  perplexity: openaiCompatible({
    ...missingBecause(NO_OPENAI_API, ...OPERATIONS),
    balance: NOT_AVAILABLE,
  }),
  cohere: openaiCompatible({
    ...missingBecause(NO_OPENAI_API, 'moderations', ...IMAGES, ...AUDIO, 'realtime'),
    ...missingBecause(NOT_REQUESTED, 'streamed counts'),
    balance: NOT_AVAILABLE,
  }),
  minimax: openaiCompatible({
    ...missingBecause(CUSTOM_API, 'embeddings', 'image-generation', 'speech', 'realtime'),
    ...missingBecause(
      NO_OPENAI_API,
      'rerank',
      'moderations',
      'image-edit',
      'image-variation',
      'transcription',
      'translation',
    ),
    balance: UNKNOWN,
  }),
  jina: openaiCompatible({
    ...missingBecause(NO_CHAT, ...CHAT),
    ...missingBecause(NO_OPENAI_API, 'moderations', ...IMAGES, ...AUDIO, 'realtime'),
    balance: UNKNOWN,
  }),
  cloudflare: openaiCompatible({
    ...missingBecause('these models have their own endpoint, which is not supported', 'rerank', ...IMAGES, ...AUDIO),
    ...missingBecause(NO_OPENAI_API, 'moderations', 'realtime'),
    'model list': 'its URL contains the account, which is not configured',
    balance: NOT_AVAILABLE,
  }),
  mistral: openaiCompatible({
    ...missingBecause(NO_OPENAI_API, 'rerank', ...IMAGES, 'speech', 'translation', 'realtime'),
    balance: NOT_AVAILABLE,
  }),
  moka: openaiCompatible({
    ...missingBecause(NO_CHAT, ...CHAT),
    ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', ...IMAGES, ...AUDIO, 'realtime', 'model list'),
    balance: UNKNOWN,
  }),
  volcano: openaiCompatible({
    ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-edit', 'image-variation', ...AUDIO),
    realtime: 'its realtime API is not OpenAI-compatible',
    balance: NOT_AVAILABLE,
  }),
  'github-models': openaiCompatible({
    ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', ...IMAGES, ...AUDIO, 'realtime'),
    balance: NOT_AVAILABLE,
  }),
  'openai-compatible': reseller(),
  openaimax: reseller(),
  ohmygpt: reseller(),
  caipacity: reseller(),
  aiproxy: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': NOT_REQUESTED } },
  api2gpt: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': NOT_REQUESTED } },
  aigc2d: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': NOT_REQUESTED } },
  '360': reseller(),
  openrouter: openaiCompatible({ realtime: NO_OPENAI_API, balance: NOT_IMPLEMENTED }),
  moonshot: openaiCompatible({ realtime: NO_OPENAI_API, balance: NOT_IMPLEMENTED }),
  '01ai': openaiCompatible({ realtime: NO_OPENAI_API, balance: UNKNOWN }),
  siliconflow: openaiCompatible({ realtime: NO_OPENAI_API }),
  deepseek: openaiCompatible({ realtime: NO_OPENAI_API }),
  qianfan: openaiCompatible({ realtime: NO_OPENAI_API, balance: NOT_AVAILABLE, 'streamed counts': NOT_REQUESTED }),
  xinference: openaiCompatible({
    realtime: NO_OPENAI_API,
    balance: 'a self-hosted server has no account',
    'streamed counts': NOT_REQUESTED,
  }),
  xai: openaiCompatible({ realtime: 'its realtime API is not OpenAI-compatible', balance: NOT_AVAILABLE }),
  palm: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...missingBecause('only chats are supported for this legacy provider', ...OPERATIONS, 'model list'),
      streams: 'the provider returns whole responses, which are sent as a stream of one chunk',
      ...missingBecause('the provider reports no usage', 'counts', 'streamed counts'),
      balance: NOT_AVAILABLE,
    },
  },
  baidu: {
    key: { as: 'derived', description: 'an access token for both parts of the key, as `access_token` in the query' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'moderations', 'image-edit', 'image-variation', ...AUDIO, 'realtime'),
      ...missingBecause('available at the newer platform, type 46', 'rerank', 'image-generation'),
      'model list': NOT_AVAILABLE,
      balance: NOT_AVAILABLE,
    },
  },
  iflytek: {
    key: { as: 'derived', description: 'a signature of the websocket URL, in its query' },
    lacks: {
      ...missingBecause('separate services of the provider, with their own keys', ...OPERATIONS),
      'model list': NO_OPENAI_API,
      balance: NOT_AVAILABLE,
    },
  },
  hunyuan: {
    key: { as: 'derived', description: 'Tencent’s signature, version 3, in `authorization`' },
    lacks: {
      ...missingBecause(CUSTOM_API, 'embeddings', 'image-generation'),
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-edit', 'image-variation', ...AUDIO, 'realtime'),
      'model list': NO_OPENAI_API,
      balance: NOT_AVAILABLE,
    },
  },
  dify: openaiCompatible({
    ...missingBecause('an application has one endpoint', ...OPERATIONS),
    'model list': 'the application behind the key is the model',
    balance: 'an application has no account of its own',
  }),
  midjourney: taskProxy({ as: 'header', name: 'mj-api-secret' }, 'the proxy only generates images'),
  'midjourney-plus': taskProxy({ as: 'header', name: 'mj-api-secret' }, 'the proxy only generates images'),
  suno: taskProxy(BEARER, 'the proxy only generates music'),
}

/** By provider id. */
export const PROVIDER_FACTS: Readonly<Record<string, ProviderFacts>> = Object.fromEntries(
  Object.entries(FACTS).map(([id, { key, lacks }]): [string, ProviderFacts] => [
    id,
    { key, lacks: { ...lacks, ...missingTaskKinds(id) } },
  ]),
)

function missingTaskKinds(id: string): MissingCapabilities {
  const reasons: Readonly<Record<TaskKind, string>> = {
    drawing: 'only available with Midjourney proxies',
    music: 'only available with Suno proxies',
    video: HAS_CUSTOM_VIDEO_API.has(id) ? CUSTOM_API : NO_OPENAI_API,
  }
  const supported = TASK_KINDS[id] ?? []
  return Object.fromEntries(Object.entries(reasons).filter(([kind]) => !supported.includes(kind as TaskKind)))
}
