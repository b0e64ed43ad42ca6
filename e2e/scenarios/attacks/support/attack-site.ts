import { api } from '@tidegate/contract'
import {
  addChannel,
  apiClient,
  type ApiClient,
  fakeEpay,
  type FakeEpay,
  fakeStripe,
  type FakeStripe,
  type Mailbox,
  type RunningServer,
  setUpSite,
  startMailbox,
  SUPER_ADMIN,
} from '@tidegate/testing'
import { openSite, type Site } from '../../site.ts'
import { addAccount, type Account, superAdminOf } from './accounts.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'

export const METRICS_TOKEN = 'metrics-token-of-the-attacked-site'
export const CHANNEL_KEY = 'sk-upstream-0f1e2d3c4b5a'
/** Models that the fake providers serve, by protocol. */
export const MODELS = { openai: 'gpt-4o', anthropic: 'claude-3-5-haiku', gemini: 'gemini-2.0-flash' }
const OPERATION_MODELS = [
  'text-embedding-3-small',
  'dall-e-3',
  'tts-1',
  'whisper-1',
  'omni-moderation-latest',
  'rerank-1',
]
const BALANCE = 1_000_000_000

/** A site with accounts of every role, providers, payment services and a mail server, for attacks. */
export interface AttackSite {
  readonly url: string
  readonly server: RunningServer
  readonly database: Site['database']
  readonly provider: FakeProvider
  readonly epay: FakeEpay
  readonly stripe: FakeStripe
  readonly mailbox: Mailbox
  readonly root: Account
  readonly admin: Account
  readonly peer: Account
  readonly user: Account
  readonly other: Account
  /** Banned after it got its credentials. */
  readonly disabled: Account
  setOption(key: string, value: string): Promise<void>
  /** A second node of the same site. The caller stops it. */
  startAnother(extra?: Readonly<Record<string, string>>): Promise<RunningServer>
  close(): Promise<void>
}

export async function openAttackSite(): Promise<AttackSite> {
  const provider = await startFakeProvider()
  const [epay, stripe, mailbox, site] = await Promise.all([fakeEpay(), fakeStripe(), startMailbox(), openSite()])
  const closeOutside = () =>
    Promise.all([provider.close(), epay.close(), stripe.close(), mailbox.close(), site.close()])
  try {
    const env = {
      TIDEGATE_TRUSTED_PROXIES: '127.0.0.1',
      TIDEGATE_METRICS_TOKEN: METRICS_TOKEN,
      TIDEGATE_STRIPE_URL: stripe.url,
      TIDEGATE_FIRST_TOKEN_TIMEOUT: '2',
      RELAY_TIMEOUT: '2',
    }
    const server = await site.start({ env })
    const client = apiClient(server.url)
    await setUpSite(client)
    const setOption = async (key: string, value: string) => {
      await client.call(api.proveOwner, { body: { password: SUPER_ADMIN.password } }) // attacks take longer than a login counts as recent
      await client.call(api.updateOption, { body: { key, value } })
    }
    await seedSite(client, provider, setOption)
    const accounts = await addAccounts(server.url, client)
    return {
      url: server.url,
      server,
      database: site.database,
      provider,
      epay,
      stripe,
      mailbox,
      ...accounts,
      setOption,
      startAnother: (extra) => site.start({ env: { ...env, ...extra } }),
      async close() {
        await server.stop()
        await closeOutside()
      },
    }
  } catch (error) {
    await closeOutside()
    throw error
  }
}

async function seedSite(
  client: ApiClient,
  provider: FakeProvider,
  setOption: (key: string, value: string) => Promise<void>,
): Promise<void> {
  const key = CHANNEL_KEY
  await addChannel(client, provider, { type: 1, key, models: [MODELS.openai, ...OPERATION_MODELS].join(',') })
  await addChannel(client, provider, { type: 14, key, models: MODELS.anthropic })
  await addChannel(client, provider, { type: 24, key, models: MODELS.gemini })
  const prices = Object.fromEntries([...Object.values(MODELS), ...OPERATION_MODELS].map((model) => [model, 1]))
  for (const map of ['ModelRatio', 'CompletionRatio']) await setOption(map, JSON.stringify(prices))
  await setOption('QuotaForNewUser', String(BALANCE))
}

async function addAccounts(url: string, client: ApiClient) {
  const accounts = {
    root: await superAdminOf(url),
    admin: await addAccount(url, 'steersman', 'admin'),
    peer: await addAccount(url, 'boatswain', 'admin'),
    user: await addAccount(url, 'deckhand'),
    other: await addAccount(url, 'passenger'),
    disabled: await addAccount(url, 'stowaway'),
  }
  await client.call(api.manageUser, { body: { id: accounts.disabled.id, action: 'disable' } })
  return accounts
}
