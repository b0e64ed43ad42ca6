import { expect } from 'vitest'
import { verifyZhipu } from './signatures.ts'
import {
  cloudflareFailing,
  dashscopeFailing,
  deepseekFailing,
  fastgptFailing,
  githubFailing,
  minimaxFailing,
  moonshotFailing,
  openrouterFailing,
  plainFailing,
  qianfanFailing,
  resellerFailing,
  siliconflowFailing,
  volcanoFailing,
  xaiFailing,
  zhipuFailing,
  openaiFailing,
} from './failures.ts'
import { IMAGE_URL, VECTOR } from './operations.ts'
import { completionFormat } from './openai-compatible.ts'
import {
  withStreamUsage,
  MODEL_LIST,
  nameOfModel,
  compatibleRow,
  openaiOperations,
  type BalanceRow,
  type ChatRow,
  type ProviderRow,
} from './row.ts'
import type { ReceivedRequest } from './provider.ts'
import { json, type Reply } from './wire-formats.ts'

const beside = (row: ProviderRow, ...chats: readonly ChatRow[]): ProviderRow => ({
  ...row,
  chats: [...row.chats, ...chats],
})
const chatsOnly = (row: ProviderRow): ProviderRow => ({ ...row, chats: row.chats.slice(0, 1) })

/** It requires a header that names the calling site. */
const withSiteHeader = (row: ProviderRow): ProviderRow => ({
  ...row,
  chats: row.chats.map((chat) => ({ ...chat, headers: { 'x-title': expect.any(String) as string } })),
})

const reseller = (type: number, balance?: BalanceRow) =>
  compatibleRow({
    types: [type],
    model: 'gpt-4o',
    failing: resellerFailing,
    counting: 'requested',
    ...(balance && { more: { balance } }),
  })

/** Providers with OpenAI's protocol. */
export const OPENAI_ROWS: readonly ProviderRow[] = [
  reseller(6),
  reseller(7),
  reseller(9),
  reseller(10, {
    host: 'https://aiproxy.io',
    header: 'api-key',
    steps: [{ path: /^\/api\/report\/getUserOverview$/, reply: { success: true, data: { totalPoints: 12.5 } } }],
    amount: 12.5,
  }),
  reseller(12, {
    host: 'https://api.api2gpt.com',
    steps: [{ path: /^\/dashboard\/billing\/credit_grants$/, reply: { total_remaining: 3.25 } }],
    amount: 3.25,
  }),
  reseller(13, {
    host: 'https://api.aigc2d.com',
    steps: [{ path: /^\/dashboard\/billing\/credit_grants$/, reply: { total_available: 4.5 } }],
    amount: 4.5,
  }),
  // Types without a definition are treated as compatible providers.
  reseller(21),
  compatibleRow({ types: [19], model: '360gpt-pro', failing: openaiFailing, counting: 'requested' }),
  compatibleRow({ types: [31], model: 'yi-large', failing: openaiFailing, counting: 'last' }),
  compatibleRow({ types: [25], model: 'moonshot-v1-8k', failing: moonshotFailing, counting: 'choice' }),
  withSiteHeader(compatibleRow({ types: [20], model: 'openai/gpt-4o', failing: openrouterFailing, counting: 'last' })),
  compatibleRow({
    types: [40],
    model: 'deepseek-ai/DeepSeek-V3',
    failing: siliconflowFailing,
    counting: 'every',
    more: {
      balance: {
        steps: [{ path: /^\/relay\/v1\/user\/info$/, reply: { code: 20000, data: { totalBalance: '88.00' } } }],
        amount: 88,
      },
    },
  }),
  beside(
    compatibleRow({
      types: [43],
      model: 'deepseek-chat',
      failing: deepseekFailing,
      counting: 'last',
      more: {
        balance: {
          steps: [
            {
              path: /^\/relay\/user\/balance$/,
              reply: {
                is_available: true,
                balance_infos: [
                  { currency: 'USD', total_balance: '1.00' },
                  { currency: 'CNY', total_balance: '110.00' },
                ],
              },
            },
          ],
          amount: 110,
        },
      },
    }),
    {
      dialect: 'openai-completions',
      format: completionFormat,
      path: '/beta/completions',
      model: 'deepseek-chat',
      name: nameOfModel('deepseek-chat'),
      counts: { whole: true, stream: false },
    },
  ),
  compatibleRow({ types: [46], model: 'ernie-4.0-8k', failing: qianfanFailing, counting: 'requested', at: '/v2' }),
  compatibleRow({ types: [47], model: 'qwen2.5-instruct', failing: resellerFailing, counting: 'requested' }),
  withStreamUsage(
    compatibleRow({
      types: [48],
      model: 'grok-3-beta',
      failing: xaiFailing,
      counting: 'every',
      operations: {
        ...openaiOperations(),
        'image-generation': { path: '/v1/images/generations', model: 'grok-2-image', unsupported: ['size'] },
      },
    }),
  ),
  compatibleRow({ types: [22], model: 'an-app', failing: fastgptFailing, counting: 'never', operations: {} }),
  compatibleRow({ types: [27], model: 'sonar', failing: openaiFailing, counting: 'every', at: '', operations: {} }),
  compatibleRow({
    types: [42],
    model: 'mistral-small-latest',
    failing: plainFailing,
    counting: 'last',
    operations: openaiOperations('/v1', ['embeddings', 'moderations', 'transcription']),
  }),
  chatsOnly(
    compatibleRow({
      types: [35],
      model: 'abab6.5s-chat',
      failing: minimaxFailing,
      counting: 'last',
      chat: '/v1/text/chatcompletion_v2',
      operations: {},
    }),
  ),
  compatibleRow({
    types: [34],
    model: 'command-r',
    failing: plainFailing,
    counting: 'requested',
    at: '/compatibility/v1',
    operations: {
      ...openaiOperations('/compatibility/v1', ['embeddings']),
      rerank: {
        path: '/v1/rerank',
        model: 'rerank-v3.5',
        body: { top_n: 1, return_documents: true },
        response: () =>
          json({
            id: 'r1',
            results: [{ index: 1, relevance_score: 0.9, document: { text: 'water' } }],
            meta: { billed_units: { search_units: 1 } },
          }),
      },
    },
    more: {
      modelList: {
        path: '/v1/models?page_size=1000',
        response: json({ models: [{ name: 'command-r', endpoints: ['chat'] }, { name: 'rerank-v3.5' }] }),
        names: ['command-r', 'rerank-v3.5'],
      },
    },
  }),
  compatibleRow({
    types: [16, 26],
    model: 'glm-4-flash',
    failing: zhipuFailing,
    counting: 'last',
    at: '/api/paas/v4',
    operations: openaiOperations('/api/paas/v4', [
      'embeddings',
      'image-generation',
      'rerank',
      'speech',
      'transcription',
    ]),
    more: { key: () => 'an-id-0123.a-secret-4567', secrets: (key) => key.split('.').slice(1), verify: verifyZhipu },
  }),
  withStreamUsage(
    compatibleRow({
      types: [17],
      model: 'qwen-plus',
      failing: dashscopeFailing,
      counting: 'requested',
      at: '/compatible-mode/v1',
      operations: {
        ...openaiOperations('/compatible-mode/v1', ['embeddings']),
        'image-generation': {
          path: '/api/v1/services/aigc/text2image/image-synthesis',
          model: 'wanx-v1',
          body: { input: { prompt: 'a tide gate' }, parameters: { size: '1024*1024', n: 1 } },
          headers: { 'x-dashscope-async': 'enable' },
          response: dashscopeTask,
        },
      },
      more: { other: 'a-plugin' },
    }),
  ),
  withStreamUsage(
    compatibleRow({
      types: [45],
      model: 'Doubao-pro-32k',
      failing: volcanoFailing,
      counting: 'requested',
      at: '/api/v3',
      operations: openaiOperations('/api/v3', ['embeddings', 'image-generation']),
    }),
  ),
  withStreamUsage(
    compatibleRow({
      types: [39],
      model: '@cf/meta/llama-3.1-8b-instruct',
      failing: cloudflareFailing,
      counting: 'requested',
      at: '/client/v4/accounts/an-account/ai/v1',
      operations: openaiOperations('/client/v4/accounts/an-account/ai/v1', ['embeddings']),
      more: { other: 'an-account', modelList: undefined },
    }),
  ),
  withStreamUsage(
    compatibleRow({
      types: [49],
      model: 'openai/gpt-4o',
      failing: githubFailing,
      counting: 'requested',
      at: '',
      operations: openaiOperations('', ['embeddings']),
      more: {
        modelList: { path: '/catalog/models', response: json([{ id: 'm-1' }, { id: 'm-2' }]), names: MODEL_LIST.names },
      },
    }),
  ),
  withStreamUsage(
    compatibleRow({
      types: [4],
      model: 'llama3',
      failing: openaiFailing,
      counting: 'requested',
      operations: {
        embeddings: {
          path: '/api/embed',
          model: 'nomic-embed-text',
          body: { input: ['the sea is calm'] },
          response: () => json({ model: 'nomic-embed-text', embeddings: [VECTOR], prompt_eval_count: 5 }),
        },
      },
    }),
  ),
]

/** A job is accepted, in progress once, and then done. */
function dashscopeTask({ method, url }: ReceivedRequest): Reply {
  if (method === 'POST') return json({ request_id: 'r1', output: { task_id: 'task-1', task_status: 'PENDING' } })
  expect(url).toBe('/relay/api/v1/tasks/task-1')
  return json({
    request_id: 'r2',
    output: { task_id: 'task-1', task_status: 'SUCCEEDED', results: [{ url: IMAGE_URL }] },
  })
}
