import { asList, asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider, type BalanceQuery, type ChatApi } from '../provider.ts'

const HOME = 'https://api.deepseek.com'

/** One entry per currency; the account is in yuan. */
const balance: BalanceQuery = {
  steps: [({ baseUrl }) => endpoint(baseUrl || HOME, '/user/balance')],
  read([body]) {
    const entries = asList(asJsonObject(body)?.balance_infos).map((entry) => asJsonObject(entry))
    const amount = Number(entries.find((entry) => entry?.currency === 'CNY')?.total_balance)
    if (!Number.isFinite(amount)) throw new Error('the response has no balance')
    return amount
  },
}

const base = openaiCompatibleProvider({
  id: 'deepseek',
  baseUrl: HOME,
  models: ['deepseek-chat', 'deepseek-reasoner'],
  balance,
})

/** Completions are a beta feature with its own path. */
const completions: ChatApi = {
  dialect: 'openai-completions',
  url: ({ baseUrl }) => `${(baseUrl || HOME).replace(/\/+$/, '').replace(/\/(v1|beta)$/, '')}/beta/completions`,
  streamUsage: 'omit',
}

export const deepseek = defineProvider({
  ...base,
  chatApis: [
    ...(base.chatApis ?? []).map((conversation): ChatApi =>
      conversation.dialect === 'openai-responses' ? { ...conversation, onlyPreferred: true } : conversation,
    ),
    completions,
  ],
  prefers: ({ setting }) => (setting?.openai_api === 'responses' ? 'openai-responses' : undefined),
})
