import { randomBytes } from 'node:crypto'
import {
  addChannel,
  addToken,
  apiClient,
  fakeUpstream,
  setUpSite,
  type ApiClient,
  type FakeUpstream,
} from '@tidegate/testing'
import { openSite } from '@tidegate/e2e/scenarios/site.ts'
import { api } from '@tidegate/contract'
import type { AgentModel } from '../../apps/console/src/features/tokens/connect/agent-snippets.ts'
import { CHANNELS, type ChannelType, type Feature } from './features.ts'

/** The built gateway with one channel of each type, and the fake providers behind them. */
export interface ConformanceSite {
  readonly url: string
  /** The API token of a run. */
  keyFor(feature: Feature): string
  /** As the Connect dialog gets them. */
  readonly models: readonly AgentModel[]
  providerOf(channel: ChannelType): FakeUpstream
  close(): Promise<void>
}

export async function startConformanceSite(): Promise<ConformanceSite> {
  const site = await openSite()
  const [strict, compatible] = [await fakeUpstream(), await fakeUpstream({ strict: false })]
  const server = await site.start()
  const client = apiClient(server.url)
  await setUpSite(client)
  const providerOf = (channel: ChannelType) => (channel.strict ? strict : compatible)
  for (const channel of CHANNELS) {
    const { type, setting, other, name, model, smallModel = model, compactionModel } = channel
    const models = [...new Set([model, smallModel, compactionModel])].join(',')
    const provider = providerOf(channel)
    // Session affinity can fail only if there is another account.
    for (const account of [1, 2]) {
      const key = channel.keyOf?.(account, provider) ?? `sk-${channel.id}-${account}`
      const fields = { type, setting, other, models, key, name: `${name} ${account}` }
      await addChannel(client, provider, fields)
    }
  }
  const { secret } = await addToken(client)
  const poor = await addPoorUser(client)
  const { data } = await client.call(api.getPricing)
  return {
    url: server.url,
    keyFor: (feature) =>
      feature === 'noBalance' ? poor : feature === 'invalidKey' ? `sk-${randomBytes(24).toString('hex')}` : secret,
    models: data.map(({ model_name: name, context, max_output: maxOutput, abilities }) => ({
      name,
      context,
      maxOutput,
      abilities,
    })),
    providerOf,
    async close() {
      await server.stop()
      await Promise.all([strict.close(), compatible.close(), site.close()])
    },
  }
}

/** The API token of a user without balance. */
async function addPoorUser(admin: ApiClient): Promise<string> {
  const [username, password] = ['poor', 'spring-tide-42']
  await admin.call(api.createUser, { body: { username, display_name: username, password } })
  const client = apiClient(admin.url)
  const { id } = await client.login(username, password)
  await admin.call(api.updateUser, { body: { id, username, display_name: username, group: 'default', quota: 0 } })
  return (await addToken(client)).secret
}
