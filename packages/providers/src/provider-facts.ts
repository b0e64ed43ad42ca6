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
  | { readonly as: 'proof'; readonly words: string }

/** Facts that the provider record does not contain. The conformance suite compares both. */
export interface ProviderFacts {
  readonly key: KeyLocation
  /** Unsupported capabilities and the reason. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>
}

const BEARER: KeyLocation = { as: 'header', name: 'authorization', prefix: 'Bearer ' }

const NO_OPENAI_API = 'the vendor has no such call in OpenAI’s words'
const CUSTOM_API = 'its call is not OpenAI’s and is not served'
const CHAT_ONLY = 'the vendor does it in conversations only'
const NO_CHAT = 'the vendor holds no conversations'
const NOT_IMPLEMENTED = 'the vendor tells it, which is not read here'
const NOT_AVAILABLE = 'the vendor does not tell it to a key'
const UNKNOWN = 'nothing is known of such a call at this vendor'
const NOT_REQUESTED = 'the question for them is left out, which vendors of this kind may refuse: counted here'

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
      'model list': 'models are deployments, which a key of theirs cannot list',
      balance: 'credit belongs to the subscription, which is not told to a key',
    },
  },
  ollama: {
    key: BEARER,
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', ...IMAGES, ...AUDIO, 'realtime'),
      balance: 'a machine of one’s own has no account',
    },
  },
  custom: {
    key: BEARER,
    lacks: {
      ...missingBecause('a channel of one full URL has one call', ...OPERATIONS),
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
    key: { as: 'proof', words: 'Amazon’s signature, version 4, in `authorization`' },
    lacks: {
      ...missingBecause('only conversations with Claude are served', ...OPERATIONS),
      'model list': 'it is told at another address than conversations, by a right of its own',
      balance: NOT_AVAILABLE,
    },
  },
  gemini: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-variation'),
      ...missingBecause(CHAT_ONLY, 'image-edit', ...AUDIO),
      realtime: 'its spoken conversations are not OpenAI’s',
      balance: NOT_AVAILABLE,
    },
  },
  vertex: {
    key: { as: 'proof', words: 'a token traded for the service account, in `authorization`' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-variation', ...AUDIO),
      ...missingBecause('served through conversations only so far', 'embeddings', 'image-generation', 'image-edit'),
      realtime: 'its spoken conversations are not OpenAI’s',
      'model list': NOT_AVAILABLE,
      balance: NOT_AVAILABLE,
    },
  },
  zhipu: {
    key: {
      as: 'proof',
      words: 'a short-lived token signed with the secret half, in `authorization`, without a scheme',
    },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'moderations', 'image-edit', 'image-variation', 'translation'),
      realtime: 'its spoken conversations are not OpenAI’s',
      balance: NOT_AVAILABLE,
    },
  },
  dashscope: openaiCompatible({
    ...missingBecause(CUSTOM_API, 'rerank', 'image-edit', ...AUDIO, 'realtime'),
    ...missingBecause(NO_OPENAI_API, 'moderations', 'image-variation'),
    balance: NOT_AVAILABLE,
  }),
  fastgpt: openaiCompatible({
    ...missingBecause('an assistant has one call', ...OPERATIONS),
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
    ...missingBecause('its models are run at a call of their own, which is not served', 'rerank', ...IMAGES, ...AUDIO),
    ...missingBecause(NO_OPENAI_API, 'moderations', 'realtime'),
    'model list': 'it is told at an address that holds the account, which is not asked',
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
    realtime: 'its spoken conversations are not OpenAI’s',
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
    balance: 'a machine of one’s own has no account',
    'streamed counts': NOT_REQUESTED,
  }),
  xai: openaiCompatible({ realtime: 'its spoken conversations are not OpenAI’s', balance: NOT_AVAILABLE }),
  palm: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...missingBecause('of this vendor of the past only conversations are served', ...OPERATIONS, 'model list'),
      streams: 'the vendor answers in one piece, which is sent as a stream of one chunk',
      ...missingBecause('the vendor does not count', 'counts', 'streamed counts'),
      balance: NOT_AVAILABLE,
    },
  },
  baidu: {
    key: { as: 'proof', words: 'a token traded for both halves, as `access_token` in the query' },
    lacks: {
      ...missingBecause(NO_OPENAI_API, 'moderations', 'image-edit', 'image-variation', ...AUDIO, 'realtime'),
      ...missingBecause('served by the newer platform, type 46', 'rerank', 'image-generation'),
      'model list': NOT_AVAILABLE,
      balance: NOT_AVAILABLE,
    },
  },
  iflytek: {
    key: { as: 'proof', words: 'a signature of the socket’s address, in its query' },
    lacks: {
      ...missingBecause('the vendor sells it as other services with keys of their own', ...OPERATIONS),
      'model list': NO_OPENAI_API,
      balance: NOT_AVAILABLE,
    },
  },
  hunyuan: {
    key: { as: 'proof', words: 'Tencent’s signature, version 3, in `authorization`' },
    lacks: {
      ...missingBecause(CUSTOM_API, 'embeddings', 'image-generation'),
      ...missingBecause(NO_OPENAI_API, 'rerank', 'moderations', 'image-edit', 'image-variation', ...AUDIO, 'realtime'),
      'model list': NO_OPENAI_API,
      balance: NOT_AVAILABLE,
    },
  },
  dify: openaiCompatible({
    ...missingBecause('an application has one call', ...OPERATIONS),
    'model list': 'the application behind the key is the model',
    balance: 'an application has no account of its own',
  }),
  midjourney: taskProxy({ as: 'header', name: 'mj-api-secret' }, 'the proxy only draws'),
  'midjourney-plus': taskProxy({ as: 'header', name: 'mj-api-secret' }, 'the proxy only draws'),
  suno: taskProxy(BEARER, 'the proxy only makes music'),
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
    drawing: 'ordered from proxies of Midjourney only',
    music: 'ordered from proxies of Suno only',
    video: HAS_CUSTOM_VIDEO_API.has(id) ? CUSTOM_API : NO_OPENAI_API,
  }
  const supported = TASK_KINDS[id] ?? []
  return Object.fromEntries(Object.entries(reasons).filter(([kind]) => !supported.includes(kind as TaskKind)))
}
