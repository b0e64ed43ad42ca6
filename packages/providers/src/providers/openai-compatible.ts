import { asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../endpoint.ts'
import type { BalanceCheck, Provider } from '../provider.ts'
import { openaiSpeaker } from '../openai-compatible/create-provider.ts'

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
