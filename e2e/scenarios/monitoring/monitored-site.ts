import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type RunningServer,
  startServer,
} from '@tidegate/testing'
import { behindProxy, type ProxiedService } from '../behind-proxy.ts'
import { setBalance } from '../books.ts'
import { runProgram } from '../private-services.ts'
import { type ChatResult, sendChat } from '../send-chat.ts'
import { MODEL, openSite, seedSite, type Site } from '../site.ts'

export const METRICS_TOKEN = 'metrics-token-of-the-monitored-site'
export const FREE_MODEL = 'free-model'
/** Its channel has an address that does not accept connections. */
export const UNREACHABLE_MODEL = 'unreachable-model'
export const CLOSED_PORT = 1
export const FAILING_MODELS = Array.from({ length: 30 }, (_, index) => `failing-${index}`)
const GATEWAY_DISK_MB = 320
const PASSWORD = 'spring-tide-44'
const LARGE_BALANCE = 1_000_000_000
/** Less than one response costs. */
const SMALL_BALANCE = 200

export type Role = 'gateway' | 'control' | 'worker'

/** One process per role; database and Redis of the gateway, and the database of control, can be taken away. */
export interface MonitoredSite {
  readonly site: Site
  readonly upstream: FakeUpstream
  readonly admin: ApiClient
  /** An ordinary user with a large balance. */
  readonly user: ApiClient
  readonly gatewayDatabase: ProxiedService
  readonly gatewayRedis: ProxiedService
  readonly controlDatabase: ProxiedService
  /** A disk of its own, a little larger than the limit of its alert. */
  readonly gatewayDirectory: string
  readonly ports: Readonly<Record<Role, number>>
  process(role: Role): RunningServer
  /** Starts a process again on its port. */
  restart(role: Role, env?: Record<string, string>): Promise<void>
  /** Sends a chat of the user, or of one whose balance is nearly empty. */
  chat(model: string, options?: { stream?: boolean; poor?: boolean }): Promise<ChatResult>
  close(): Promise<void>
}

export async function openMonitoredSite(): Promise<MonitoredSite> {
  const site = await openSite()
  const upstream = await fakeUpstream({ remember: false })
  const [gatewayDatabase, controlDatabase, gatewayRedis] = await Promise.all([
    behindProxy(site.env.DATABASE_URL!),
    behindProxy(site.env.DATABASE_URL!),
    behindProxy(site.env.REDIS_URL!),
  ])
  const environments: Record<Role, Record<string, string>> = {
    gateway: { DATABASE_URL: gatewayDatabase.url, REDIS_URL: gatewayRedis.url, TIDEGATE_JOURNAL_LIMIT_MB: '1' },
    control: { DATABASE_URL: controlDatabase.url, TIDEGATE_DATABASE_POOL: '4' },
    worker: {},
  }
  const gatewayDirectory = join(site.dataDirectory, 'gateway')
  await mkdir(gatewayDirectory)
  await runProgram('mount', '-t', 'tmpfs', '-o', `size=${GATEWAY_DISK_MB}m,mode=755`, 'tmpfs', gatewayDirectory)
  const running = new Map<Role, RunningServer>()
  const start = async (role: Role, env: Record<string, string> = {}) => {
    const dataDirectory = join(site.dataDirectory, role)
    await mkdir(dataDirectory, { recursive: true })
    const common = {
      TIDEGATE_METRICS_TOKEN: METRICS_TOKEN,
      TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true',
      PORT: String(running.get(role)?.port ?? 0),
    }
    const all = { ...site.env, ...environments[role], ...common, ...env }
    running.set(role, await startServer({ args: ['--role', role], dataDirectory, env: all }))
  }
  const close = async () => {
    await Promise.all([...running.values()].map((server) => server.kill()))
    await Promise.all([gatewayDatabase, controlDatabase, gatewayRedis].map(({ proxy }) => proxy.close()))
    await runProgram('umount', '--lazy', gatewayDirectory)
    await site.close()
    await upstream.close()
  }
  try {
    await start('control') // it creates the schema
    await Promise.all([start('gateway'), start('worker')])
    const { client: admin } = await seedSite(running.get('control')!.url, upstream)
    await addChannel(admin, upstream, { models: ['gpt-4o', FREE_MODEL, ...FAILING_MODELS].join(',') })
    await addChannel(admin, { url: `http://127.0.0.1:${CLOSED_PORT}` }, { models: UNREACHABLE_MODEL })
    const ratios = Object.fromEntries(
      [MODEL, 'gpt-4o', UNREACHABLE_MODEL, ...FAILING_MODELS].map((model) => [model, 1]),
    )
    const value = JSON.stringify({ ...ratios, [FREE_MODEL]: 0 })
    for (const key of ['ModelRatio', 'CompletionRatio']) await admin.call(api.updateOption, { body: { key, value } })
    const rich = await addUser(site, admin, 'rich', LARGE_BALANCE)
    const poor = await addUser(site, admin, 'poor', SMALL_BALANCE)
    return {
      site,
      upstream,
      admin,
      user: rich.client,
      gatewayDatabase,
      gatewayRedis,
      controlDatabase,
      gatewayDirectory,
      ports: Object.fromEntries([...running].map(([role, { port }]) => [role, port])) as Record<Role, number>,
      process: (role) => running.get(role)!,
      restart: start,
      async chat(model, { stream = false, poor: isPoor = false } = {}) {
        const messages = [{ role: 'user' as const, content: 'when does the tide turn?' }]
        const body = { model, stream, messages, max_tokens: 50 }
        return await sendChat({ url: running.get('gateway')!.url, key: isPoor ? poor.key : rich.key, body })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function addUser(site: Site, admin: ApiClient, username: string, balance: number) {
  await admin.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(admin.url)
  const { id } = await client.login(username, PASSWORD)
  await setBalance(site.database.db, id, balance)
  return { client, key: (await addToken(client)).secret }
}
