import type { OperationId } from './operation.ts'
import type { TaskKind } from './task.ts'

/** What can be wanted of a vendor. */
export type Ability =
  | 'chats'
  | 'streams'
  | 'counts'
  | 'streamed counts'
  | OperationId
  | TaskKind
  | 'model list'
  | 'balance'

/** Where a key goes, and nowhere else. */
export type KeyPlace =
  | { readonly as: 'header'; readonly name: string; readonly prefix?: string }
  /** It is not sent: what it proves is. */
  | { readonly as: 'proof'; readonly words: string }

/** What is told of a vendor beside its record. The conformance suite holds both against each other. */
export interface VendorFacts {
  readonly key: KeyPlace
  /** What it does not do, and why. */
  readonly lacks: Readonly<Partial<Record<Ability, string>>>
}

const BEARER: KeyPlace = { as: 'header', name: 'authorization', prefix: 'Bearer ' }

const NO_CALL = 'the vendor has no such call in OpenAI’s words'
const OWN_CALL = 'its call is not OpenAI’s and is not served'
const IN_CHATS = 'the vendor does it in conversations only'
const NO_CHATS = 'the vendor holds no conversations'
const NOT_READ = 'the vendor tells it, which is not read here'
const UNTOLD = 'the vendor does not tell it to a key'
const UNKNOWN = 'nothing is known of such a call at this vendor'
const UNASKED = 'the question for them is left out, which vendors of this kind may refuse: counted here'

type Lacks = VendorFacts['lacks']

function without(reason: string, ...abilities: readonly Ability[]): Lacks {
  return Object.fromEntries(abilities.map((ability) => [ability, reason]))
}

const SOUND = ['speech', 'transcription', 'translation'] as const
const PICTURES = ['image-generation', 'image-edit', 'image-variation'] as const
const TALK = ['chats', 'streams', 'counts', 'streamed counts'] as const
const CALLS = ['embeddings', 'rerank', 'moderations', ...PICTURES, ...SOUND, 'realtime'] as const

/** OpenAI's calls under another name: spoken conversations are the one it did not take over. */
const reseller = (lacks: Lacks = {}): VendorFacts => ({
  key: BEARER,
  lacks: { ...without(UNKNOWN, 'realtime', 'balance'), ...without(UNASKED, 'streamed counts'), ...lacks },
})

/** Talks in OpenAI's words and does what is left of the list when `lacks` is taken from it. */
const speaker = (lacks: Lacks): VendorFacts => ({ key: BEARER, lacks })

/** A proxy that takes orders of one kind. */
const orders = (key: KeyPlace, reason: string): VendorFacts => ({
  key,
  lacks: { ...without(reason, ...TALK, ...CALLS, 'model list'), balance: UNTOLD },
})

/** They make videos, each in words of its own. */
const VIDEO_MAKERS = new Set([
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

/** What vendors take their time for. */
const ORDERS_TAKEN: Readonly<Record<string, readonly TaskKind[]>> = {
  openai: ['video'],
  midjourney: ['drawing'],
  'midjourney-plus': ['drawing'],
  suno: ['music'],
}

const FACTS: Readonly<Record<string, VendorFacts>> = {
  openai: { key: BEARER, lacks: {} },
  azure: {
    key: { as: 'header', name: 'api-key' },
    lacks: {
      ...without(NO_CALL, 'rerank', 'moderations', 'image-variation'),
      'model list': 'models are deployments, which a key of theirs cannot list',
      balance: 'credit belongs to the subscription, which is not told to a key',
    },
  },
  ollama: {
    key: BEARER,
    lacks: {
      ...without(NO_CALL, 'rerank', 'moderations', ...PICTURES, ...SOUND, 'realtime'),
      balance: 'a machine of one’s own has no account',
    },
  },
  custom: {
    key: BEARER,
    lacks: {
      ...without('a channel of one full URL has one call', ...CALLS),
      ...without(UNASKED, 'streamed counts'),
    },
  },
  anthropic: {
    key: { as: 'header', name: 'x-api-key' },
    lacks: {
      ...without(NO_CALL, ...CALLS),
      balance: UNTOLD,
    },
  },
  bedrock: {
    key: { as: 'proof', words: 'Amazon’s signature, version 4, in `authorization`' },
    lacks: {
      ...without('only conversations with Claude are served', ...CALLS),
      'model list': 'it is told at another address than conversations, by a right of its own',
      balance: UNTOLD,
    },
  },
  gemini: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...without(NO_CALL, 'rerank', 'moderations', 'image-variation'),
      ...without(IN_CHATS, 'image-edit', ...SOUND),
      realtime: 'its spoken conversations are not OpenAI’s',
      balance: UNTOLD,
    },
  },
  vertex: {
    key: { as: 'proof', words: 'a token traded for the service account, in `authorization`' },
    lacks: {
      ...without(NO_CALL, 'rerank', 'moderations', 'image-variation', ...SOUND),
      ...without('served through conversations only so far', 'embeddings', 'image-generation', 'image-edit'),
      realtime: 'its spoken conversations are not OpenAI’s',
      'model list': UNTOLD,
      balance: UNTOLD,
    },
  },
  zhipu: {
    key: {
      as: 'proof',
      words: 'a short-lived token signed with the secret half, in `authorization`, without a scheme',
    },
    lacks: {
      ...without(NO_CALL, 'moderations', 'image-edit', 'image-variation', 'translation'),
      realtime: 'its spoken conversations are not OpenAI’s',
      balance: UNTOLD,
    },
  },
  dashscope: speaker({
    ...without(OWN_CALL, 'rerank', 'image-edit', ...SOUND, 'realtime'),
    ...without(NO_CALL, 'moderations', 'image-variation'),
    balance: UNTOLD,
  }),
  fastgpt: speaker({
    ...without('an assistant has one call', ...CALLS),
    ...without(UNASKED, 'streamed counts'),
    balance: UNKNOWN,
  }),
  perplexity: speaker({
    ...without(NO_CALL, ...CALLS),
    balance: UNTOLD,
  }),
  cohere: speaker({
    ...without(NO_CALL, 'moderations', ...PICTURES, ...SOUND, 'realtime'),
    ...without(UNASKED, 'streamed counts'),
    balance: UNTOLD,
  }),
  minimax: speaker({
    ...without(OWN_CALL, 'embeddings', 'image-generation', 'speech', 'realtime'),
    ...without(NO_CALL, 'rerank', 'moderations', 'image-edit', 'image-variation', 'transcription', 'translation'),
    balance: UNKNOWN,
  }),
  jina: speaker({
    ...without(NO_CHATS, ...TALK),
    ...without(NO_CALL, 'moderations', ...PICTURES, ...SOUND, 'realtime'),
    balance: UNKNOWN,
  }),
  cloudflare: speaker({
    ...without('its models are run at a call of their own, which is not served', 'rerank', ...PICTURES, ...SOUND),
    ...without(NO_CALL, 'moderations', 'realtime'),
    'model list': 'it is told at an address that holds the account, which is not asked',
    balance: UNTOLD,
  }),
  mistral: speaker({
    ...without(NO_CALL, 'rerank', ...PICTURES, 'speech', 'translation', 'realtime'),
    balance: UNTOLD,
  }),
  moka: speaker({
    ...without(NO_CHATS, ...TALK),
    ...without(NO_CALL, 'rerank', 'moderations', ...PICTURES, ...SOUND, 'realtime', 'model list'),
    balance: UNKNOWN,
  }),
  volcano: speaker({
    ...without(NO_CALL, 'rerank', 'moderations', 'image-edit', 'image-variation', ...SOUND),
    realtime: 'its spoken conversations are not OpenAI’s',
    balance: UNTOLD,
  }),
  'github-models': speaker({
    ...without(NO_CALL, 'rerank', 'moderations', ...PICTURES, ...SOUND, 'realtime'),
    balance: UNTOLD,
  }),
  'openai-compatible': reseller(),
  openaimax: reseller(),
  ohmygpt: reseller(),
  caipacity: reseller(),
  aiproxy: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': UNASKED } },
  api2gpt: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': UNASKED } },
  aigc2d: { key: BEARER, lacks: { realtime: UNKNOWN, 'streamed counts': UNASKED } },
  '360': reseller(),
  openrouter: speaker({ realtime: NO_CALL, balance: NOT_READ }),
  moonshot: speaker({ realtime: NO_CALL, balance: NOT_READ }),
  '01ai': speaker({ realtime: NO_CALL, balance: UNKNOWN }),
  siliconflow: speaker({ realtime: NO_CALL }),
  deepseek: speaker({ realtime: NO_CALL }),
  qianfan: speaker({ realtime: NO_CALL, balance: UNTOLD, 'streamed counts': UNASKED }),
  xinference: speaker({
    realtime: NO_CALL,
    balance: 'a machine of one’s own has no account',
    'streamed counts': UNASKED,
  }),
  xai: speaker({ realtime: 'its spoken conversations are not OpenAI’s', balance: UNTOLD }),
  palm: {
    key: { as: 'header', name: 'x-goog-api-key' },
    lacks: {
      ...without('of this vendor of the past only conversations are served', ...CALLS, 'model list'),
      streams: 'the vendor answers in one piece, which is sent as a stream of one chunk',
      ...without('the vendor does not count', 'counts', 'streamed counts'),
      balance: UNTOLD,
    },
  },
  baidu: {
    key: { as: 'proof', words: 'a token traded for both halves, as `access_token` in the query' },
    lacks: {
      ...without(NO_CALL, 'moderations', 'image-edit', 'image-variation', ...SOUND, 'realtime'),
      ...without('served by the newer platform, type 46', 'rerank', 'image-generation'),
      'model list': UNTOLD,
      balance: UNTOLD,
    },
  },
  iflytek: {
    key: { as: 'proof', words: 'a signature of the socket’s address, in its query' },
    lacks: {
      ...without('the vendor sells it as other services with keys of their own', ...CALLS),
      'model list': NO_CALL,
      balance: UNTOLD,
    },
  },
  hunyuan: {
    key: { as: 'proof', words: 'Tencent’s signature, version 3, in `authorization`' },
    lacks: {
      ...without(OWN_CALL, 'embeddings', 'image-generation'),
      ...without(NO_CALL, 'rerank', 'moderations', 'image-edit', 'image-variation', ...SOUND, 'realtime'),
      'model list': NO_CALL,
      balance: UNTOLD,
    },
  },
  dify: speaker({
    ...without('an application has one call', ...CALLS),
    'model list': 'the application behind the key is the model',
    balance: 'an application has no account of its own',
  }),
  midjourney: orders({ as: 'header', name: 'mj-api-secret' }, 'the proxy only draws'),
  'midjourney-plus': orders({ as: 'header', name: 'mj-api-secret' }, 'the proxy only draws'),
  suno: orders(BEARER, 'the proxy only makes music'),
}

/** By the id of the vendor's record. */
export const VENDOR_FACTS: Readonly<Record<string, VendorFacts>> = Object.fromEntries(
  Object.entries(FACTS).map(([id, { key, lacks }]) => [id, { key, lacks: { ...lacks, ...ordersLacked(id) } }]),
)

function ordersLacked(id: string): Lacks {
  const reasons: Readonly<Record<TaskKind, string>> = {
    drawing: 'ordered from proxies of Midjourney only',
    music: 'ordered from proxies of Suno only',
    video: VIDEO_MAKERS.has(id) ? OWN_CALL : NO_CALL,
  }
  const taken = ORDERS_TAKEN[id] ?? []
  return Object.fromEntries(Object.entries(reasons).filter(([kind]) => !taken.includes(kind as TaskKind)))
}
