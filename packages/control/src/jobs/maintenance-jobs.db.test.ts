import { readSettings } from '@tidegate/contract'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { openVault } from '@tidegate/storage'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maintenanceJobs } from './maintenance-jobs.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }
const vault = openVault(new Uint8Array(32).fill(7))
const settings = () => readSettings(new Map())
const GO_ON = new AbortController().signal

function job(name: string, { today = new Date() } = {}) {
  return maintenanceJobs({ db: database.db, vault, log, now: () => today, settings }).find(
    (candidate) => candidate.name === name,
  )!
}

it('removes expired sessions only', async () => {
  const { db } = database
  const { id } = await db
    .insertInto('user')
    .values({ username: 'u', display_name: 'u', aff_code: 'u' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inAnHour = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('session')
    .values([
      { id_hash: 'old', user_id: id, expires_at: new Date(0) },
      { id_hash: 'new', user_id: id, expires_at: inAnHour },
    ])
    .execute()

  await job('purge-expired').run(GO_ON)

  expect(await db.selectFrom('session').select('id_hash').execute()).toEqual([{ id_hash: 'new' }])
})

it('removes idempotency responses after a day', async () => {
  const { db } = database
  const hour = 3_600_000
  const row = (key: string, age: number) => ({
    user_id: 1,
    key,
    request_hash: '',
    sealed_answer: null,
    created_at: new Date(Date.now() - age),
  })
  await db
    .insertInto('idempotency_key')
    .values([row('old', 25 * hour), row('new', 23 * hour)])
    .execute()

  await job('purge-expired').run(GO_ON)

  expect(await db.selectFrom('idempotency_key').select('key').execute()).toEqual([{ key: 'new' }])
})

it('anonymizes a user thirty days after deregistration, but keeps name and ledger', async () => {
  const { db } = database
  const today = new Date('2030-03-10T15:00:00Z')
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  const person = (name: string, deleted_at: Date | null) => ({
    username: name,
    display_name: `The ${name}`,
    aff_code: name,
    email: `${name}@reef.example`,
    password_hash: 'hash',
    quota: 7,
    setting: JSON.stringify({ notification_email: 'other@reef.example', webhook_secret: 'sealed' }),
    deleted_at,
  })
  const users = [person('left', daysAgo(31)), person('leaving', daysAgo(29)), person('here', null)]
  const ids = (await db.insertInto('user').values(users).returning('id').execute()).map(({ id }) => id)
  for (const user_id of ids) {
    const own = { user_id, created_at: today }
    await db
      .insertInto('identity')
      .values({ ...own, provider: 'github', subject: String(user_id) })
      .execute()
    await db
      .insertInto('totp')
      .values({ ...own, sealed_secret: 's' })
      .execute()
    await db.insertInto('recovery_code').values({ user_id, code_hash: 'h' }).execute()
    await db
      .insertInto('passkey')
      .values({ ...own, credential_id: `c${user_id}`, public_key: 'p', name: 'n' })
      .execute()
    await db
      .insertInto('delivery')
      .values({ ...own, kind: 'email', type: 't', title: '', target: 'a@b.example', payload: '{}' })
      .execute()
    await db
      .insertInto('push_subscription')
      .values({ ...own, endpoint_hash: `h${user_id}`, host: 'push.example', sealed: 's' })
      .execute()
    await db.insertInto('ledger_entry').values({ user_id, kind: 'signup_gift', amount: 7 }).execute()
  }

  await job('anonymise-departed', { today }).run(GO_ON)
  await job('anonymise-departed', { today }).run(GO_ON)

  const columns = ['username', 'display_name', 'email', 'password_hash', 'quota', 'setting'] as const
  const [gone, ...others] = await db.selectFrom('user').select(columns).where('id', 'in', ids).orderBy('id').execute()
  const nothing = { display_name: `#${ids[0]}`, email: '', password_hash: null, setting: {} }
  expect(gone).toEqual({ username: 'left', quota: 7, ...nothing })
  expect(others.map(({ email }) => email)).toEqual(['leaving@reef.example', 'here@reef.example'])
  for (const table of ['identity', 'totp', 'recovery_code', 'passkey', 'delivery', 'push_subscription'] as const) {
    const rows = await db.selectFrom(table).select('user_id').where('user_id', 'in', ids).orderBy('user_id').execute()
    expect(rows.map(({ user_id }) => user_id)).toEqual(ids.slice(1))
  }
  expect(await db.selectFrom('ledger_entry').select('id').where('user_id', '=', ids[0]!).execute()).toHaveLength(1)
  const trail = await db.selectFrom('audit_event').select(['action', 'subject']).execute()
  expect(trail).toEqual([{ action: 'user.anonymise', subject: String(ids[0]) }])
})

it('anonymizes a restored user again after another deregistration', async () => {
  const { db } = database
  const today = new Date()
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  const again = { email: 'again@reef.example', deleted_at: daysAgo(40), anonymised_at: daysAgo(60) }
  const { id } = await db
    .insertInto('user')
    .values({ username: 'again', display_name: 'again', aff_code: 'again', ...again })
    .returning('id')
    .executeTakeFirstOrThrow()

  await job('anonymise-departed', { today }).run(GO_ON)

  const row = await db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.email).toBe('')
})

it('seals the ledger and logs a signed digest once a day', async () => {
  const logged: object[] = []
  const jobs = maintenanceJobs({
    db: database.db,
    vault,
    log: { ...log, info: (details) => void logged.push(details) },
    now: () => new Date('2026-11-17T12:00:00Z'),
    settings,
  })
  const seal = jobs.find(({ name }) => name === 'seal-ledger')!
  await seal.run(GO_ON)
  await seal.run(GO_ON)
  const digest = expect.stringMatching(/^tidegate-digest-v1 2026-11-17 \d+ [0-9a-f]{64} [0-9a-f]{64}$/)
  expect(logged).toEqual([{ event: 'ledger.digest', digest }])
  const unsealed = await database.db.selectFrom('ledger_entry').select('id').where('seal', 'is', null).execute()
  expect(unsealed).toEqual([])
})
