import { api } from '@tidegate/contract'
import { createMediaFetcher, createUpstreamClient, providerOf, PROVIDER_FACTS } from '@tidegate/providers'
import { expect } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { relayUrl, type ChatRow, type ProviderRow } from './row.ts'
import { ROWS } from './rows.ts'
import { SPARE_KEY, type FakeProvider, type ReceivedRequest } from './provider.ts'

/** The model that clients request. Every channel maps it to its own name. */
export const MODEL = 'tide-1'

export interface ProviderCase {
  readonly type: number
  readonly row: ProviderRow
  readonly name: string
}

export interface ChatCase extends ProviderCase {
  readonly chat: ChatRow
}

/** Every channel type of every provider. */
export const CASES: readonly ProviderCase[] = ROWS.flatMap((row) =>
  row.types.map((type) => ({ type, row, name: `${type} ${api.channelTypeOf(type)?.name ?? providerOf(type).id}` })),
).toSorted((a, b) => a.type - b.type)

/** Each of them in each protocol that it supports. The run without the fast path repeats those that it can serve. */
export const CHAT_CASES: readonly ChatCase[] = CASES.flatMap((provider) =>
  provider.row.chats.map((chat) => ({ ...provider, chat, name: `${provider.name} in ${chat.dialect}` })),
).filter(({ chat }) => process.env.TIDEGATE_FAST_PATH !== 'off' || chat.dialect === 'openai-chat')

interface ChannelOptions {
  /** The name at the provider. */
  readonly model: string
  readonly setting?: Readonly<Record<string, unknown>>
  /** The polling interval of upstream jobs. */
  readonly pollMs?: number
}

const client = createUpstreamClient({ allowPrivateAddresses: true })

/** A chat of a client that reaches the provider in the protocol of the case. */
export function chatRequest({ dialect }: Pick<ChatRow, 'dialect'>, fields: { stream: boolean; max_tokens?: number }) {
  const question = 'When does it turn?'
  switch (dialect) {
    case 'openai-completions':
      return { path: '/v1/completions', body: { model: MODEL, prompt: question, ...fields } }
    case 'gemini-interactions': {
      const { stream, max_tokens } = fields
      const config = max_tokens !== undefined && { generation_config: { max_output_tokens: max_tokens } }
      return { path: '/v1beta/interactions', body: { model: MODEL, input: question, stream, ...config } }
    }
    default: {
      const messages = [{ role: 'user', content: question }]
      return { path: '/v1/chat/completions', body: { model: MODEL, messages, ...fields } }
    }
  }
}

/** The API token of a second caller. */
export const OTHER_KEY = 'sk-otherabcdefghijklmnopqrst'

/** A gateway with a channel to the provider under test, and a spare one for other requests. */
export function gatewayTo(
  provider: FakeProvider,
  { type, row }: ProviderCase,
  { model, setting = {}, pollMs = 1 }: ChannelOptions,
): Promise<TestGateway> {
  if (row.exchangeToken) provider.exchangeToken = row.exchangeToken
  return startGateway({
    channels: [
      aChannel({
        id: 1,
        type,
        keys: [row.key(provider.url)],
        baseUrl: addressOf(row, provider.url),
        other: row.other,
        models: [MODEL],
        modelMapping: new Map([[MODEL, model]]),
        setting,
        priority: 10,
      }),
      aChannel({ id: 2, type: 1, keys: [SPARE_KEY], baseUrl: provider.url, models: [MODEL], priority: 1 }),
    ],
    otherCallers: { [OTHER_KEY]: { userId: 8, tokenId: 71 } },
    settings: {
      RetryTimes: 1,
      ModelRatio: { [MODEL]: 1, [model]: 1 },
      CompletionRatio: { [MODEL]: 1, [model]: 1 },
      ModelPrice: {},
    },
    deadlines: { pollMs },
    fetchMedia: createMediaFetcher(client, { maxBytes: 1_000_000, timeoutMs: 5_000 }),
  })
}

export function addressOf(row: ProviderRow, url: string): string {
  return (row.address ?? relayUrl)(url)
}

/** The key is where the provider expects it, and nowhere else: in no other header, not in the URL, not in the body. */
export function expectKeyInPlace({ type, row }: ProviderCase, request: ReceivedRequest, url: string): void {
  const key = row.key(url)
  const expected = PROVIDER_FACTS[providerOf(type).id]?.key
  if (expected?.as === 'header') {
    const { [expected.name]: value, ...others } = request.headers
    expect(value).toBe((expected.prefix ?? '') + key)
    expectNowhere([key], { ...request, headers: others })
    return
  }
  row.verify?.(request, key)
  expect(row.verify, 'a key that is not sent must be proved').toBeDefined()
  expectNowhere([key, ...(row.secrets?.(key) ?? [])], request)
}

function expectNowhere(secrets: readonly string[], { headers, url, text }: ReceivedRequest): void {
  const seen = [JSON.stringify(headers), url, decodeURIComponent(url), text].join('\n')
  for (const secret of secrets) {
    expect(secret).not.toBe('')
    expect(seen).not.toContain(secret)
    expect(seen).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
  }
}
