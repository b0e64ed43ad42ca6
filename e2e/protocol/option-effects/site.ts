import { randomBytes } from 'node:crypto'
import { api, defaultOptionText } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  fakeTaskProvider,
  fakeUpstream,
  setUpSite,
  startServer,
  SUPER_ADMIN,
  throwAwayDatabase,
  throwAwayRedis,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { newAnonymousClient, PASSWORD } from './anonymous-client.ts'
import { baselineOf } from './baseline.ts'
import type { EffectSite, Member } from './effect-site.ts'
import { addChannels, GROUPS } from './channels.ts'
import { startExternalServices } from './external-services.ts'

export const POOR_BALANCE = 100_000
const RICH_BALANCE = 1_000_000_000

export async function openEffectSite(): Promise<EffectSite> {
  const closers: (() => Promise<unknown>)[] = []
  const closeLater = <Service>(service: Service, close: (service: Service) => Promise<unknown>) => {
    closers.unshift(() => close(service))
    return service
  }
  const close = async () => {
    for (const closer of closers) await closer()
  }
  try {
    const database = closeLater(await throwAwayDatabase({ poolSize: 2 }), (one) => one.close())
    const redis = closeLater(throwAwayRedis(), (one) => one.close())
    const upstream = closeLater(await fakeUpstream(), (one) => one.close())
    const imageTasks = closeLater(await fakeTaskProvider(), (one) => one.close())
    const outside = closeLater(await startExternalServices(), (one) => one.close())
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TIDEGATE_REDIS_PREFIX: redis.prefix,
      TIDEGATE_SECRET: randomBytes(32).toString('hex'),
      ...outside.env,
    }
    const first = closeLater(await startServer({ env }), (one) => one.stop())
    const setter = apiClient(first.url)
    await setUpSite(setter)
    const second = closeLater(await startServer({ env }), (one) => one.stop())
    const root = apiClient(second.url)
    await root.login(SUPER_ADMIN.username, SUPER_ADMIN.password)

    const set = async (key: string, value: string) => {
      await setter.call(api.updateOption, { body: { key, value } })
    }
    const baseline = baselineOf(outside)
    for (const [key, value] of Object.entries(baseline)) await set(key, value)
    await addChannels(setter, upstream)
    const models = 'mj_imagine,mj_reroll'
    await addChannel(setter, imageTasks, { type: 5, key: imageTasks.key, models, auto_ban: 0 })
    const near = { url: second.url, root }
    const inviter = await addMember(near, 'inviter', 0)
    return {
      url: second.url,
      database,
      upstream,
      imageTasks,
      services: outside,
      root,
      member: await addMember(near, 'member', RICH_BALANCE),
      poor: await addMember(near, 'poor', POOR_BALANCE),
      inviter: inviter.client,
      set,
      restore: (key) => set(key, baseline[key] ?? defaultOptionText(key)),
      startWorker: () => startServer({ env, args: ['--role', 'worker'] }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function addMember(site: Pick<EffectSite, 'url' | 'root'>, username: string, quota: number): Promise<Member> {
  await newAnonymousClient(site).call(api.register, { body: { username, password: PASSWORD } })
  const client = apiClient(site.url)
  const response = await client.open(api.login, { body: { username, password: PASSWORD } })
  const { id } = ((await response.json()) as { data: api.User }).data
  client.userId = id
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  await site.root.call(api.updateUser, { body: { id, username, display_name: username, group: 'default', quota } })
  const keys = {} as Record<(typeof GROUPS)[number], string>
  for (const group of GROUPS) keys[group] = (await addToken(client, { group })).secret
  return { id, client, keys, session: { cookie: cookies.join('; '), 'tidegate-user': String(id) } }
}

/** Runs jobs of the site now, in a separate worker. */
export async function runJobs(site: EffectSite, names: readonly string[]): Promise<void> {
  await sql`delete from job_lease where name in (${sql.join(names)})`.execute(site.database.db)
  const worker = await site.startWorker()
  await worker.stop() // waits for running jobs
}
