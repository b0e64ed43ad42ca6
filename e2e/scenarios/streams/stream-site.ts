import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, type ApiClient, type RunningServer, setUpSite } from '@tidegate/testing'
import { openSite } from '../site.ts'
import { ALL_PROTOCOLS } from './protocols.ts'
import { INSPECTABLE } from './server-memory.ts'
import { startTimedUpstream, type TimedUpstream } from './timed-upstream.ts'

/** Its channel has an input limit, so long prompts are counted before they are forwarded. */
export const LIMITED_MODEL = 'proof-limited'

/** A server process with a channel per protocol, and a key. */
export interface StreamSite {
  readonly server: RunningServer
  readonly upstream: TimedUpstream
  readonly client: ApiClient
  readonly key: string
  setOption(key: string, value: string | number | boolean | object): Promise<void>
  close(): Promise<void>
}

/** Longer than any silence in a scenario. */
const FIRST_TOKEN_SECONDS = 240

export async function openStreamSite(): Promise<StreamSite> {
  const upstream = await startTimedUpstream()
  const site = await openSite()
  let server: RunningServer | undefined
  const close = async () => {
    await server?.stop()
    await site.close()
    await upstream.close()
  }
  try {
    server = await site.start({ env: { ...INSPECTABLE, TIDEGATE_FIRST_TOKEN_TIMEOUT: String(FIRST_TOKEN_SECONDS) } })
    const client = apiClient(server.url)
    const setOption: StreamSite['setOption'] = async (key, value) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : value
      await client.call(api.updateOption, { body: { key, value: text } })
    }
    await setUpSite(client)
    for (const { channelType: type, model } of ALL_PROTOCOLS)
      await addChannel(client, upstream, { type, models: model })
    await addChannel(client, upstream, { models: LIMITED_MODEL, max_input_tokens: 300_000 })
    // Almost free, so that no user runs out of credit.
    const prices = Object.fromEntries(
      [...ALL_PROTOCOLS.map(({ model }) => model), LIMITED_MODEL].map((model) => [model, 0.01]),
    )
    await setOption('ModelRatio', prices)
    await setOption('CompletionRatio', Object.fromEntries(Object.keys(prices).map((model) => [model, 1])))
    const key = (await addToken(client)).secret
    return { server, upstream, client, key, setOption, close }
  } catch (error) {
    await close()
    throw error
  }
}
