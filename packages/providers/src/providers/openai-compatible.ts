import { asJsonObject } from '@tidegate/dialects'
import { clamp } from '../openai-compatible/adapt.ts'
import { endpoint } from '../target.ts'
import { openaiModelList, openaiSpeaker } from '../openai-compatible/create-provider.ts'
import type { BalanceCheck, Provider } from '../provider.ts'

/** Vendors that need no more than an address to be talked to in OpenAI's words, by channel type. */
export const OPENAI_SPEAKERS: readonly (readonly [number, Provider])[] = [
  [6, openaiSpeaker({ id: 'openaimax', baseUrl: 'https://api.openaimax.com' })],
  [7, openaiSpeaker({ id: 'ohmygpt', baseUrl: 'https://api.ohmygpt.com' })],
  [9, openaiSpeaker({ id: 'caipacity', baseUrl: 'https://api.caipacity.com' })],
  [
    10,
    openaiSpeaker({
      id: 'aiproxy',
      baseUrl: 'https://api.aiproxy.io',
      balance: {
        ...balanceAt('https://aiproxy.io/api/report/getUserOverview', (body) => asJsonObject(body?.data)?.totalPoints),
        authorize: (key) => ({ 'api-key': key }),
      },
    }),
  ],
  [
    12,
    openaiSpeaker({
      id: 'api2gpt',
      baseUrl: 'https://api.api2gpt.com',
      balance: balanceAt('https://api.api2gpt.com/dashboard/billing/credit_grants', (body) => body?.total_remaining),
    }),
  ],
  [
    13,
    openaiSpeaker({
      id: 'aigc2d',
      baseUrl: 'https://api.aigc2d.com',
      balance: balanceAt('https://api.aigc2d.com/dashboard/billing/credit_grants', (body) => body?.total_available),
    }),
  ],
  [
    19,
    openaiSpeaker({ id: '360', baseUrl: 'https://api.360.cn', models: ['360gpt-turbo', '360gpt-pro', '360gpt2-pro'] }),
  ],
  [
    25,
    openaiSpeaker({
      id: 'moonshot',
      baseUrl: 'https://api.moonshot.cn',
      models: ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'],
      emptyAccount: ['exceeded_current_quota_error'],
    }),
  ],
  [
    31,
    openaiSpeaker({
      id: '01ai',
      baseUrl: 'https://api.lingyiwanwu.com',
      models: ['yi-large', 'yi-medium', 'yi-vision', 'yi-medium-200k', 'yi-spark', 'yi-large-rag', 'yi-large-turbo'],
    }),
  ],
  [
    40,
    openaiSpeaker({
      id: 'siliconflow',
      baseUrl: 'https://api.siliconflow.cn',
      emptyAccount: [30001],
      balance: balanceAt(
        '/v1/user/info',
        (body) => asJsonObject(body?.data)?.totalBalance,
        'https://api.siliconflow.cn',
      ),
    }),
  ],
  [
    46,
    openaiSpeaker({
      id: 'qianfan',
      baseUrl: 'https://qianfan.baidubce.com',
      path: '/v2/chat/completions',
      models: [
        'ernie-4.0-8k',
        'ernie-4.0-turbo-8k',
        'ernie-3.5-8k',
        'ernie-speed-8k',
        'ernie-lite-8k',
        'ernie-tiny-8k',
      ],
    }),
  ],
  [47, openaiSpeaker({ id: 'xinference', baseUrl: '' })],
  [
    48,
    withoutImageSize(
      openaiSpeaker({
        id: 'xai',
        baseUrl: 'https://api.x.ai',
        streamUsage: 'ask',
        models: [
          'grok-3-beta',
          'grok-3-mini-beta',
          'grok-3-fast-beta',
          'grok-3-mini-fast-beta',
          'grok-2',
          'grok-2-vision',
        ],
      }),
    ),
  ],
]

function balanceAt(
  address: string,
  find: (body: Record<string, unknown> | undefined) => unknown,
  home = '',
): BalanceCheck {
  return {
    steps: [({ baseUrl }) => (home === '' ? address : endpoint(baseUrl || home, address))],
    read([body]) {
      const amount = Number(find(asJsonObject(body)))
      if (!Number.isFinite(amount)) throw new Error('the answer holds no balance')
      return amount
    },
  }
}

/** It refuses to be told how large a picture should be. */
function withoutImageSize(provider: Provider): Provider {
  const { operations = {} } = provider
  const images = operations['image-generation']
  return {
    ...provider,
    operations: {
      ...operations,
      ...(images && {
        'image-generation': { ...images, encode: (body, { model }) => ({ ...body, model, size: undefined }) },
      }),
    },
  }
}

const HOME = 'https://models.github.ai/inference'

export const githubModels = openaiSpeaker({
  id: 'github-models',
  baseUrl: HOME,
  path: '/chat/completions',
  streamUsage: 'ask',
  operations: ['embeddings'],
  modelList: {
    ...openaiModelList(HOME),
    // The catalogue is beside the calls, not among them.
    url: ({ baseUrl }) => `${(baseUrl || HOME).replace(/\/+$/, '').replace(/\/inference$/, '')}/catalog/models`,
  },
})

export const perplexity = openaiSpeaker({
  id: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  path: '/chat/completions',
  models: [
    'llama-3-sonar-small-32k-chat',
    'llama-3-sonar-small-32k-online',
    'llama-3-sonar-large-32k-chat',
    'llama-3-sonar-large-32k-online',
  ],
  adapt: (body) => clamp(body, 'top_p', { max: 0.99 }),
  operations: [],
})

/** Doubao. A name that begins with `bot` is an assistant of the operator's, kept apart from the models. */
export const volcano = openaiSpeaker({
  id: 'volcano',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  path: ({ model }) => (model.startsWith('bot') ? '/api/v3/bots/chat/completions' : '/api/v3/chat/completions'),
  version: '/api/v3',
  models: [
    'Doubao-pro-128k',
    'Doubao-pro-32k',
    'Doubao-pro-4k',
    'Doubao-lite-128k',
    'Doubao-lite-32k',
    'Doubao-lite-4k',
    'Doubao-embedding',
  ],
  streamUsage: 'ask',
  emptyAccount: ['AccountOverdueError'],
  operations: ['embeddings', 'image-generation'],
})
