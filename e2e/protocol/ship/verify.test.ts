import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeUpstream, type FakeUpstream, type RunningServer } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../../scenarios/site.ts'
import { tidegate } from './run-tidegate.ts'
import { accountAfter, chat, seedSite } from './site.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const REQUESTS = 3

let upstream: FakeUpstream
let site: Site
let server: RunningServer
beforeAll(async () => {
  upstream = await fakeUpstream()
  upstream.always({ text: 'about two metres' })
  site = await openSite()
  // Rows are sealed only in the last test: a row that is sealed while it is changed could not be restored.
  server = await site.start({ args: ['--role', 'gateway,control'] })
  const { client, secret } = await seedSite(server.url, upstream)
  for (let request = 0; request < REQUESTS; request++)
    expect(await chat(server.url, secret)).toMatchObject({ status: 200 })
  await accountAfter(client, REQUESTS)
})
afterAll(async () => {
  await server?.stop()
  await site?.close()
  await upstream?.close()
})

const verify = (...options: string[]) => tidegate(['verify', ...options], site)
const run = (statements: string) => site.database.pool.query(statements)

it('reports that the ledger of a serving site balances', async () => {
  const stdout = expect.stringContaining('The books balance.')
  expect(await verify()).toEqual({ code: 0, stdout, stderr: '' })
})

const NEWEST_ROW = 'where id = (select max(id) from usage_log where type = 2)'

/** The tests of `verifyBooks` find each alone. */
const CHANGES = [
  {
    what: 'a balance',
    change: `update "user" set quota = quota + 7`,
    undo: `update "user" set quota = quota - 7`,
    expected: /^balance: user 1 holds/m,
  },
  {
    what: 'a ledger entry',
    change: `update ledger_entry set amount = amount + 5`,
    undo: `update ledger_entry set amount = amount - 5`,
    expected: /^balance: user 1 holds/m,
  },
  {
    what: 'the quota of a log row',
    change: `update usage_log set quota = quota * 10 ${NEWEST_ROW}`,
    undo: `update usage_log set quota = quota / 10 ${NEWEST_ROW}`,
    expected: /^bill: log row \d+ \(request [\w-]+\): charged/m,
  },
  {
    what: 'the owner of a log row',
    change: `update usage_log set user_id = 999 ${NEWEST_ROW}`,
    undo: `update usage_log set user_id = 1 ${NEWEST_ROW}`,
    expected: /^usage log: user 999, model gpt-4o-mini/m,
  },
  {
    what: 'the used quota of a user',
    change: `update "user" set used_quota = used_quota + 7`,
    undo: `update "user" set used_quota = used_quota - 7`,
    expected: /^counter: used quota of user 1 is/m,
  },
  {
    what: 'the used quota of a token',
    change: `update token set used_quota = used_quota + 7`,
    undo: `update token set used_quota = used_quota - 7`,
    expected: /^counter: used quota of token 1 is/m,
  },
  {
    what: 'the model of a roll-up',
    change: `update usage_rollup set model_name = 'cheap'`,
    undo: `update usage_rollup set model_name = 'gpt-4o-mini'`,
    expected: /^sum: user_day, user 1, .* model cheap/m,
  },
  {
    what: 'a balance with a forged ledger entry',
    change: `update "user" set quota = quota + 1000000;
      insert into ledger_entry (user_id, kind, amount, reference) values (1, 'top_up', 1000000, 'top_up:forged')`,
    undo: `update "user" set quota = quota - 1000000; delete from ledger_entry where reference = 'top_up:forged'`,
    expected: /^ledger: entry \d+ \(top_up of 1000000 for user 1, reference 'top_up:forged'\) has no matching cause$/m,
  },
]

it('finds every row that was changed by SQL, and nothing once all are restored', async () => {
  for (const { change } of CHANGES) await run(change)
  const { code, stdout } = await verify()
  expect(code).toBe(1)
  for (const { what, expected } of CHANGES) expect(stdout, what).toMatch(expected)

  for (const { undo } of CHANGES.toReversed()) await run(undo)
  expect(await verify()).toMatchObject({ code: 0 })
})

it('exports signed digests and finds that the chain was rewritten since', async () => {
  const worker = await site.start({ args: ['--role', 'worker'] })
  await expect.poll(async () => (await run('select from ledger_digest')).rowCount).toBe(1)
  await expect.poll(async () => (await run('select from audit_seal')).rowCount).toBeGreaterThan(0)
  await worker.stop()
  const { stdout } = await verify('--digest')
  expect(stdout).toMatch(/^tidegate-digest-v1 \d{4}-\d\d-\d\d \d+ [0-9a-f]{64} [0-9a-f]{64}\n$/)
  const stored = join(site.dataDirectory, 'stored-digests.txt')
  await writeFile(stored, stdout)
  expect(await verify('--against', stored)).toMatchObject({ code: 0 })

  await run('delete from ledger_digest; delete from ledger_seal')
  expect(await verify('--against', stored)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^chain: kept digest of .* names seal \d+, which does not exist$/m),
  })
})

describe('the audit trail', () => {
  const CHANGES = [
    {
      what: 'changed',
      change: `update audit_event set action = 'user.logout' where id = (select min(id) from audit_event)`,
      undo: `update audit_event set action = 'setup' where id = (select min(id) from audit_event)`,
      expected: /^audit: \d{4}-\d\d-\d\d, seal 1: event \d+ or the one before it was changed or moved$/m,
    },
    {
      what: 'inserted',
      change: `insert into audit_event (action, seal, hash) values ('user.login', 1, 'forged')`,
      undo: `delete from audit_event where hash = 'forged'`,
      expected: /^audit: \d{4}-\d\d-\d\d, seal 1: event \d+ was inserted$/m,
    },
  ]

  it('is sealed by the worker, and reveals events that were changed or inserted by SQL', async () => {
    expect((await verify()).stdout).toMatch(/^Audit trail: [1-9]\d* events of \d days? sealed, up to \S+$/m)

    for (const { change } of CHANGES) await run(change)
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    for (const { what, expected } of CHANGES) expect(stdout, what).toMatch(expected)

    for (const { undo } of CHANGES.toReversed()) await run(undo)
    expect((await verify()).stdout).toMatch(/^The audit trail is intact\.$/m)
  })

  it('is exported as chained JSON lines', async () => {
    const file = join(site.dataDirectory, 'audit.jsonl')
    const { stdout } = await tidegate(['audit', 'export', '--from', '2020-01-01'], site)
    expect(await tidegate(['audit', 'export', '--output', file], site)).toMatchObject({ code: 0, stdout: '' })

    expect(await readFile(file, 'utf8')).toBe(stdout)
    const lines = stdout.trimEnd().split('\n')
    const seals = lines.map((line) => (JSON.parse(line) as { seal: { previous_hash: string; hash: string } }).seal)
    expect(lines[0]).toContain('"action":"setup"')
    expect(seals.slice(1).map(({ previous_hash }) => previous_hash)).toEqual(seals.slice(0, -1).map(({ hash }) => hash))
    expect((await tidegate(['audit', 'export', '--to', '2020-01-01'], site)).stdout).toBe('')
  })

  it('lists the options of its export', async () => {
    expect(await tidegate(['audit', 'export', '--from', 'yesterday'], site)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--from must be a day such as 2026-11-17'),
    })
  })
})
