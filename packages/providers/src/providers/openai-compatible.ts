import { asJsonObject } from '@tidegate/dialects'
import { clamp } from '../openai-compatible/adapt.ts'
import { endpoint } from '../target.ts'
import { openaiModelList, openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import type { BalanceQuery, Provider } from '../provider.ts'

/** Providers that need only an address and options, by channel type. */
export const OPENAI_COMPATIBLE_PROVIDERS: readonly (readonly [number, Provider])[] = [
  [6, openaiCompatibleProvider({ id: 'openaimax', baseUrl: 'https://api.openaimax.com' })],
  [7, openaiCompatibleProvider({ id: 'ohmygpt', baseUrl: 'https://api.ohmygpt.com' })],
  [9, openaiCompatibleProvider({ id: 'caipacity', baseUrl: 'https://api.caipacity.com' })],
  [
    10,
    openaiCompatibleProvider({
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
    openaiCompatibleProvider({
      id: 'api2gpt',
      baseUrl: 'https://api.api2gpt.com',
      balance: balanceAt('https://api.api2gpt.com/dashboard/billing/credit_grants', (body) => body?.total_remaining),
    }),
  ],
  [
    13,
    openaiCompatibleProvider({
      id: 'aigc2d',
      baseUrl: 'https://api.aigc2d.com',
      balance: balanceAt('https://api.aigc2d.com/dashboard/billing/credit_grants', (body) => body?.total_available),
    }),
  ],
  [
    19,
    openaiCompatibleProvider({
      id: '360',
      baseUrl: 'https://api.360.cn',
      models: ['360gpt-turbo', '360gpt-pro', '360gpt2-pro'],
    }),
  ],
  [
    25,
    openaiCompatibleProvider({
      id: 'moonshot',
      baseUrl: 'https://api.moonshot.cn',
      models: ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'],
      insufficientCreditCodes: ['exceeded_current_quota_error'],
    }),
  ],
  [
    31,
    openaiCompatibleProvider({
      id: '01ai',
      baseUrl: 'https://api.lingyiwanwu.com',
      models: ['yi-large', 'yi-medium', 'yi-vision', 'yi-medium-200k', 'yi-spark', 'yi-large-rag', 'yi-large-turbo'],
    }),
  ],
  [
    40,
    openaiCompatibleProvider({
      id: 'siliconflow',
      baseUrl: 'https://api.siliconflow.cn',
      insufficientCreditCodes: [30001],
      balance: balanceAt(
        '/v1/user/info',
        (body) => asJsonObject(body?.data)?.totalBalance,
        'https://api.siliconflow.cn',
      ),
    }),
  ],
  [
    46,
    openaiCompatibleProvider({
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
  [47, openaiCompatibleProvider({ id: 'xinference', baseUrl: '' })],
  [
    48,
    withoutImageSize(
      openaiCompatibleProvider({
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
): BalanceQuery {
  return {
    steps: [({ baseUrl }) => (home === '' ? address : endpoint(baseUrl || home, address))],
    read([body]) {
      const amount = Number(find(asJsonObject(body)))
      if (!Number.isFinite(amount)) throw new Error('the response has no balance')
      return amount
    },
  }
}

/** xAI rejects image sizes. */
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

const GITHUB_HOME = 'https://models.github.ai/inference'

export const githubModels = openaiCompatibleProvider({
  id: 'github-models',
  baseUrl: GITHUB_HOME,
  path: '/chat/completions',
  streamUsage: 'ask',
  operations: ['embeddings'],
  modelList: {
    ...openaiModelList(GITHUB_HOME),
    // The catalog is not below the path of the API.
    url: ({ baseUrl }) => `${(baseUrl || GITHUB_HOME).replace(/\/+$/, '').replace(/\/inference$/, '')}/catalog/models`,
  },
})

export const perplexity = openaiCompatibleProvider({
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

/** Doubao. Names that begin with `bot` are the operator's bots, which have their own path. */
export const volcano = openaiCompatibleProvider({
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
  insufficientCreditCodes: ['AccountOverdueError'],
  operations: ['embeddings', 'image-generation'],
})
