import { loadCatalog, setup, type Vault } from '@tidegate/storage'
import { type ThrowAwayDatabase } from '@tidegate/testing'
import { describe, expect, it, vi } from 'vitest'
import { balances, importOptions, useDatabases } from '../../test/import-site.ts'
import { aChannel, oldKey, oldSite, OLD_PASSWORD_HASH, type OldContent } from '../../test/old-site/content.ts'
import { OLD_TABLES } from '../../test/old-site/tables.ts'
import { isMysqlAvailable, oldMysql, oldPostgres, oldSqlite, type OldDatabase } from '../../test/old-site/write.ts'
import { describeImport } from './describe-import.ts'
import { importSite } from './run-import.ts'

// Imports a whole site each time, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const { closeAfterTest, freshSite } = useDatabases()

async function everything(db: ThrowAwayDatabase['db']) {
  const tables = ['user', 'token', 'channel', 'option', 'redemption', 'top_up', 'ledger_entry', 'audit_event'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return rows.map((list) => JSON.stringify(list)).toSorted()
}

const mysql = await isMysqlAvailable()
const ENGINES: [string, boolean, (content: OldContent, product: keyof typeof OLD_TABLES) => Promise<OldDatabase>][] = [
  ['SQLite', true, (content, product) => oldSqlite(OLD_TABLES[product], content)],
  ['MySQL', mysql, (content, product) => oldMysql(OLD_TABLES[product], content)],
  ['PostgreSQL', true, (content, product) => oldPostgres(OLD_TABLES[product], content)],
]

describe.each(ENGINES)('from %s', (_engine, isAvailable, open) => {
  it.skipIf(!isAvailable).each(['one-api', 'new-api', 'veloera'] as const)(
    'imports all of %s once, with exact balances',
    async (product) => {
      const old = closeAfterTest(await open(oldSite(product), product))
      const site = await freshSite()

      const result = await importSite(site, importOptions(old.from, { logs: true }))

      expect(result).toMatchObject({ product, moved: true })
      expect(result.proof).toMatchObject({ compared: 97, differences: [], imbalances: [], straySums: [] })
      expect(await balances(site.db)).toMatchObject({
        root: 500_000_000_000_000,
        林小雨: 1_234_567,
        debtor: -4_321,
        user30: 30_007,
      })
      expect(result.counts).toMatchObject({
        users: { found: 51, carried: 50 },
        tokens: { found: 50, carried: 47 },
        channels: { found: 10, carried: 8 },
        redemptions: { found: 4, carried: 3 },
        logs: { found: 4, carried: 3 },
      })

      const before = await everything(site.db)
      const again = await importSite(site, importOptions(old.from, { logs: true }))
      expect(again).toMatchObject({ moved: false, proof: { differences: [] } })
      expect(describeImport(again, true)).toContain('everything is here already')
      expect(await everything(site.db)).toEqual(before)
    },
  )
})

describe('imported data', () => {
  it('keeps keys, hashes, limits, external accounts and inviters', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES.veloera, oldSite('veloera')))
    const site = await freshSite()

    await importSite(site, importOptions(old.from))

    const user = (name: string) =>
      site.db.selectFrom('user').selectAll().where('username', '=', name).executeTakeFirstOrThrow()
    const token = (key: string) =>
      site.db
        .selectFrom('token')
        .selectAll()
        .where('hash', '=', site.vault.keyedHash('token-hash', key))
        .executeTakeFirstOrThrow()
    const lin = await user('林小雨')
    expect(lin).toMatchObject({
      password_hash: OLD_PASSWORD_HASH,
      display_name: '林小雨',
      group: 'vip',
      aff_quota: 500,
    })
    expect(await user('user7')).toMatchObject({ inviter_id: lin.id, setting: { quota_warning_threshold: 250_000 } })
    expect(await user('user8')).toMatchObject({ password_hash: null, inviter_id: null })
    expect(await user('user9')).toMatchObject({ group: 'default', setting: {}, last_check_in_at: expect.any(Date) })
    expect(await user('root')).toMatchObject({ role: 100 })
    expect(await setup.isDone(site.db)).toBe(true)

    const limited = await token(oldKey('token 1'))
    expect(limited).toMatchObject({ user_id: lin.id, remain_quota: 800_001, unlimited_quota: false, expires_at: null })
    expect(site.vault.open('token-key', limited.hash, limited.sealed_key)).toBe(oldKey('token 1'))
    expect(await token(oldKey('token 2'))).toMatchObject({ remain_quota: -17, unlimited_quota: true })
    expect(await token(oldKey('token 6'))).toMatchObject({
      model_limits_enabled: true,
      model_limits: 'gpt-4o,gpt-4o-mini',
    })
    expect(await token(oldKey('token 7'))).toMatchObject({ allow_ips: '192.0.2.0/24\n198.51.100.7' })
    expect(await token(oldKey('token 10'))).toMatchObject({
      rate_limit_enabled: true,
      rate_limit_period: 30,
      rate_limit_count: 5,
      rate_limit_success: 3,
    })
    const bound = await site.db.selectFrom('identity').select(['provider', 'issuer', 'subject']).execute()
    expect(bound).toContainEqual({ provider: 'github', issuer: 'login', subject: 'linxiaoyu' })
    expect(bound).toContainEqual({ provider: 'telegram', issuer: '', subject: '424242' })
  })

  it('contains channels that route, with the type numbers of each product', async () => {
    for (const product of ['one-api', 'new-api'] as const) {
      const old = closeAfterTest(await oldSqlite(OLD_TABLES[product], oldSite(product)))
      const site = await freshSite()

      await importSite(site, importOptions(old.from))

      const catalog = await loadCatalog(site.db, site.vault)
      const list = [...catalog.channels.values()]
      const channelNamed = (name: string) => list.find((channel) => channel.name === name)
      expect(channelNamed('渠道 1')).toMatchObject({
        keys: ['sk-one', 'sk-two', 'sk-three'],
        baseUrl: 'https://upstream.example',
        priority: 5,
        enabled: true,
      })
      expect(channelNamed('deepseek')).toMatchObject({ type: 43, groups: ['default', 'vip'] })
      expect(channelNamed('azure')).toMatchObject({ type: 3, other: '2024-10-21' })
      expect(channelNamed('groq')).toMatchObject({ type: 1, baseUrl: 'https://api.groq.com/openai' })
      expect(channelNamed('mapped')).toMatchObject({ modelMapping: new Map([['gpt-4o', 'gpt-4o-2024-08-06']]) })
      expect(channelNamed('odd json')).toMatchObject({ modelMapping: new Map(), unreadable: [] })
      expect(channelNamed('off')).toMatchObject({ enabled: false, weight: 0 })
      if (product === 'new-api') {
        expect(channelNamed('half its keys')).toMatchObject({ keys: ['k-1'], disabledKeys: ['k-2'] })
      }
      expect(catalog.settings).toMatchObject({ SystemName: '潮汐', SMTPToken: 'mail-secret', QuotaForNewUser: 5000 })
      expect(catalog.settings.CompletionRatio).toMatchObject({ 'deepseek-chat': 4, 'gpt-4o': 4 })
    }
  })
})

describe('features of new-api only', () => {
  const withChannels = (...channels: OldContent['channels'] & {}) => {
    const content = oldSite('new-api')
    return oldSqlite(OLD_TABLES['new-api'], { ...content, channels: [...content.channels!, ...channels] })
  }

  it('imports header overrides, without rules that forward headers of callers by pattern', async () => {
    const header_override = JSON.stringify({
      'X-Team': 'blue',
      Authorization: 'Token {api_key}',
      'user-agent': '{client_header:User-Agent}',
      '*': '',
      're:^x-stainless-': '',
      Host: 'elsewhere.example',
      'x-token': '{client_header:Authorization}',
    })
    const old = closeAfterTest(
      await withChannels(
        aChannel(20, { name: 'headers', header_override }),
        aChannel(21, { name: 'odd headers', header_override: '[1]' }),
      ),
    )
    const site = await freshSite()

    const result = await importSite(site, importOptions(old.from))

    const list = [...(await loadCatalog(site.db, site.vault)).channels.values()]
    expect(list.find(({ name }) => name === 'headers')).toMatchObject({
      headerOverride: new Map([
        ['X-Team', 'blue'],
        ['Authorization', 'Token {api_key}'],
        ['user-agent', '{client_header:User-Agent}'],
      ]),
      unreadable: [],
    })
    const findingOf = (reason: string) => result.findings.find((finding) => finding.reason.includes(reason))
    expect(findingOf('were dropped: *, re:^x-stainless-, Host, x-token')).toMatchObject({ examples: ['headers (20)'] })
    expect(findingOf('header_override cannot be read')).toMatchObject({ examples: ['odd headers (21)'] })
  })

  it('imports tokens of the group auto, with its groups', async () => {
    const content = oldSite('new-api')
    const token = (db: ThrowAwayDatabase['db'], site: { vault: Vault }) =>
      db
        .selectFrom('token')
        .select('group')
        .where('hash', '=', site.vault.keyedHash('token-hash', oldKey('token 8')))
        .executeTakeFirstOrThrow()

    const initial = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], content))
    const first = await freshSite()
    await importSite(first, importOptions(initial.from))
    expect(await token(first.db, first)).toEqual({ group: 'auto' })
    expect((await loadCatalog(first.db, first.vault)).settings.AutoGroups).toEqual(['default'])

    const chosen = [
      { key: 'AutoGroups', value: '["vip","default"]' },
      { key: 'DefaultUseAutoGroup', value: 'true' },
    ]
    const set = closeAfterTest(
      await oldSqlite(OLD_TABLES['new-api'], { ...content, options: [...content.options!, ...chosen] }),
    )
    const second = await freshSite()
    await importSite(second, importOptions(set.from))
    expect((await loadCatalog(second.db, second.vault)).settings).toMatchObject({
      AutoGroups: ['vip', 'default'],
      DefaultUseAutoGroup: true,
    })
  })

  it('imports Codex channels disabled and without the login of the ChatGPT account', async () => {
    const key = '{"access_token":"secret-login","refresh_token":"r","account_id":"a"}'
    const codex = aChannel(20, { type: 57, name: 'codex', key, models: 'gpt-5', base_url: 'https://chatgpt.com' })
    const old = closeAfterTest(await withChannels(codex))
    const site = await freshSite()

    const result = await importSite(site, importOptions(old.from))

    const list = [...(await loadCatalog(site.db, site.vault)).channels.values()]
    expect(list.find(({ name }) => name === 'codex')).toMatchObject({
      type: 1,
      enabled: false,
      keys: [],
      baseUrl: '',
      models: ['gpt-5'],
    })
    expect(result.findings.find(({ reason }) => reason.startsWith('Codex channels'))).toMatchObject({
      outcome: 'changed',
      examples: ['codex (20)'],
    })
    expect(JSON.stringify(result)).not.toContain('secret-login')
  })
})

describe('rejected data', () => {
  it('is reported with reasons, counts and examples, and a dry run changes nothing', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()
    const before = await everything(site.db)

    const result = await importSite(site, importOptions(old.from, { go: false }))

    expect(await everything(site.db)).toEqual(before)
    const findingOf = (area: string, reason: string | RegExp) =>
      result.findings.find((finding) => finding.area === area && finding.reason.match(reason))
    expect(findingOf('users', 'deleted')).toMatchObject({ outcome: 'left', count: 1, examples: ['gone (5)'] })
    expect(findingOf('users', 'debt')).toMatchObject({ outcome: 'changed', examples: ['debtor (3)'] })
    expect(findingOf('users', 'email address of an earlier user')).toMatchObject({ examples: ['user7 (7)'] })
    expect(findingOf('users', 'not a JSON object')).toMatchObject({ examples: ['user9 (9)'] })
    expect(findingOf('users', 'no ratio')).toMatchObject({ examples: ['user11 (11)'] })
    expect(findingOf('tokens', 'owner is not imported')).toMatchObject({ count: 2 })
    expect(findingOf('tokens', 'address cannot be read')).toMatchObject({ examples: ['令牌 8 (8)'] })
    expect(findingOf('channels', 'type 999 of new-api')).toMatchObject({
      outcome: 'left',
      examples: ['from the future (3)'],
    })
    expect(findingOf('channels', 'model_mapping cannot be read')).toMatchObject({ examples: ['odd json (4)'] })
    expect(findingOf('options', 'does not exist here')).toMatchObject({ count: 2, examples: ['ChatLink', 'Theme'] })
    expect(findingOf('options', 'not set')).toMatchObject({ outcome: 'changed', examples: ['CacheRatio'] })
    expect(findingOf('options', 'not valid here')).toMatchObject({ examples: [expect.stringContaining('ModelPrice')] })
    expect(findingOf('redemptions', 'quota')).toMatchObject({ count: 1 })
    expect(findingOf('top_ups', 'not paid')).toMatchObject({ examples: ['USR2NO2'] })
    expect(describeImport(result, false)).toMatch(/51 found, 50 to import[^]*with --yes/)
  })

  it('stops the import when names are in use, unless conflicts are skipped', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()
    const local = { display_name: 'here', aff_code: 'here', role: 100, quota: 0 }
    await site.db
      .insertInto('user')
      .values({ username: 'Debtor', ...local })
      .execute()

    const rejected = await importSite(site, importOptions(old.from))
    expect(rejected.moved).toBe(false)
    expect(rejected.findings).toContainEqual(
      expect.objectContaining({ outcome: 'clash', area: 'users', examples: ['debtor (3)'] }),
    )
    expect(Object.keys(await balances(site.db))).toEqual(['Debtor'])

    const left = await importSite(site, importOptions(old.from, { skipClashes: true }))
    expect(left).toMatchObject({ moved: true, counts: { users: { carried: 49 } }, proof: { differences: [] } })
    const root = await site.db.selectFrom('user').select('role').where('username', '=', 'root').executeTakeFirst()
    expect(root).toEqual({ role: 10 }) // the site already had a super admin
  })
})

it('treats names that differ only in case as equal, and skips the later one on request', async () => {
  const content = oldSite('new-api')
  const twin = content.users!.find(({ id }) => id === 20)!
  content.users!.push({ ...twin, id: 90, username: 'USER20', email: '', aff_code: 'x90' })
  const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], content))
  const site = await freshSite()

  const rejected = await importSite(site, importOptions(old.from))
  const left = await importSite(site, importOptions(old.from, { skipClashes: true }))

  expect(rejected).toMatchObject({ moved: false })
  expect(rejected.findings).toContainEqual(expect.objectContaining({ outcome: 'clash', examples: ['USER20 (90)'] }))
  expect(left).toMatchObject({ moved: true, counts: { users: { found: 52, carried: 50 } } })
})
