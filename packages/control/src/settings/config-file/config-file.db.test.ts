import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { configCalls, plannedActions, type ConfigCalls } from '../../../test/config-file.ts'

const PASSPHRASE = 'low tide at noon'

let site: TestSite
let other: TestSite
let root: ApiClient
let here: ConfigCalls
let there: ConfigCalls
beforeAll(async () => {
  site = await startTestSite()
  other = await startTestSite()
  await site.initialise()
  await other.initialise()
  root = await site.signedIn('root')
  here = configCalls(root)
  there = configCalls(await other.signedIn('root'))
  await seedSite()
})
afterAll(async () => {
  await site.close()
  await other.close()
})

const put = (key: string, value: string | number | boolean) => root.call(api.updateOption, { body: { key, value } })

async function seedSite(): Promise<void> {
  await put('SystemName', 'Harbour: "east"')
  await put('Notice', 'Two lines,\n  the second indented.\n')
  await put('GroupRatio', '{"default":1,"vip":0.5,"1":2}')
  await put('QuotaForNewUser', 5000)
  await put('RegisterEnabled', false)
  await put('SensitiveWords', 'kraken\nsiren')
  await put('EmailDomainWhitelist', 'reef.example,tide.example')
  await put('fallback_single_price', '0.02')
  await put('SMTPToken', 'hunter2-and-more')
  await root.call(api.updateModelMapping, { body: { mapping: { fast: [{ model: 'gpt-4o-mini', priorities: 1 }] } } })
  await root.call(api.createChannel, {
    body: {
      type: 1,
      name: 'openai – main',
      key: 'sk-first-0123456789\nsk-second-0123456789',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      model_mapping: '{"gpt-4o": "gpt-4o-2024"}',
      status_code_mapping: '{"429": 500}',
      setting: '{"proxy":"socks5://10.0.0.1:1080"}',
      priority: 10,
      weight: 3,
      auto_ban: 0,
      tag: 'paid',
      system_prompt: 'Be\nbrief.',
    },
  })
  await root.call(api.createChannel, {
    body: { type: 14, name: 'claude', key: 'sk-ant-0123456789ab', models: 'claude-x' },
  })
}

describe('a config export', () => {
  it('contains changed settings without secrets', async () => {
    const yaml = await here.export()

    expect(yaml).toContain('tidegate: 1')
    expect(yaml).toContain('  RegisterEnabled: false')
    expect(yaml).toContain('  QuotaForNewUser: 5000')
    expect(yaml).toContain('    - kraken')
    expect(yaml).toContain('type: 14 # Anthropic')
    expect(yaml).not.toContain('ModelRatio')
    expect(yaml).not.toContain('global_model_mapping')
    for (const secret of ['hunter2', 'sk-first', 'sk-ant', 'keys:', 'SMTPToken']) expect(yaml).not.toContain(secret)
  })

  it('contains secrets sealed with a passphrase, with an audit event', async () => {
    const yaml = await here.export(PASSPHRASE)

    expect(yaml).toMatch(/SMTPToken: sealed:v1:[\w-]+/)
    expect(yaml).toMatch(/keys: sealed:v1:[\w-]+/)
    for (const secret of ['hunter2', 'sk-first', 'sk-ant']) expect(yaml).not.toContain(secret)
    const { items } = await root.call(api.listAuditEvents, { query: { action: 'config.export' } })
    expect(items).toHaveLength(1)
  })

  it('requires recent re-authentication for secrets, and so does setting them', async () => {
    const prove = (at: Date) => site.db.updateTable('session').set({ proved_at: at }).execute()
    await prove(new Date(0))
    const yaml = 'tidegate: 1\noptions: {SMTPToken: guessed}'

    const responses = [
      await root.send(api.exportConfig, { body: { passphrase: PASSPHRASE } }),
      await root.send(api.planConfig, { body: { yaml } }),
      await root.send(api.applyConfig, { body: { yaml, expect_version: 1 } }),
    ]

    for (const { envelope } of responses) expect(envelope).toMatchObject({ success: false, code: 'proof_required' })
    expect(await here.export()).toContain('tidegate: 1')
    expect(plannedActions(await here.plan('tidegate: 1'))).toEqual({})
    await prove(new Date())
  })
})

describe('a config file', () => {
  it('restores an empty site including keys, and changes nothing the second time', async () => {
    const yaml = await here.export(PASSPHRASE)

    const done = await there.apply(yaml, { passphrase: PASSPHRASE })

    expect(plannedActions(done)).toMatchObject({
      'channel claude': 'create',
      'option SystemName': 'update',
      models: 'update',
    })
    expect(await there.export()).toBe(await here.export())
    expect(other.deps.catalog().settings).toEqual(site.deps.catalog().settings)
    const keysAt = (at: TestSite) => [...at.deps.catalog().channels.values()].map(({ name, keys }) => ({ name, keys }))
    expect(keysAt(other)).toEqual(expect.arrayContaining(keysAt(site)))

    const { version } = other.deps.catalog()
    const again = await there.apply(yaml, { passphrase: PASSPHRASE })
    expect(plannedActions(again)).toEqual({})
    expect(again.items.length).toBeGreaterThan(8)
    expect(other.deps.catalog().version).toBe(version)
  })

  it('plans changes by field, without values of secrets', async () => {
    const { items } = await here.plan(`
tidegate: 1
options:
  GroupRatio: {default: 1, vip: 0.8, crew: 0}
  SystemName: Reef
  SMTPToken: another-secret
models:
  slow: [{model: o1}]
channels:
  - name: claude
    weight: 7
    status: disabled
    keys: [sk-ant-9876543210]
`)

    expect(items).toEqual([
      {
        kind: 'option',
        name: 'GroupRatio',
        action: 'update',
        changes: [
          { field: '1', before: '2', after: null, secret: false },
          { field: 'vip', before: '0.5', after: '0.8', secret: false },
          { field: 'crew', before: null, after: '0', secret: false },
        ],
      },
      {
        kind: 'option',
        name: 'SystemName',
        action: 'update',
        changes: [{ field: '', before: 'Harbour: "east"', after: 'Reef', secret: false }],
      },
      {
        kind: 'option',
        name: 'SMTPToken',
        action: 'update',
        changes: [{ field: '', before: null, after: null, secret: true }],
      },
      {
        kind: 'models',
        name: '',
        action: 'update',
        changes: [
          { field: 'fast', before: 'gpt-4o-mini (1)', after: null, secret: false },
          { field: 'slow', before: null, after: 'o1 (0)', secret: false },
        ],
      },
      {
        kind: 'channel',
        name: 'claude',
        action: 'update',
        changes: [
          { field: 'weight', before: '0', after: '7', secret: false },
          { field: 'status', before: 'enabled', after: 'disabled', secret: false },
          { field: 'keys', before: null, after: null, secret: true },
        ],
      },
    ])
  })

  it('applies dependent options in any order, with an audit event each', async () => {
    const yaml = `
tidegate: 1
options:
  GitHubOAuthEnabled: true
  GitHubClientId: an id
  GitHubClientSecret: a secret
channels:
  - name: crew
    type: 1
    models: [gpt-4o]
    groups: [crew]
    keys: sk-crew-0123456789
  - name: claude
    groups: [default, crew]
`
    await there.apply(
      `tidegate: 1\noptions: {GroupRatio: {default: 1, crew: 2}, ServerAddress: 'https://gate.example'}\n${yaml.slice(yaml.indexOf('channels'))}`,
    )
    await there.apply(yaml)

    const { settings, channels } = other.deps.catalog()
    expect(settings.GitHubOAuthEnabled).toBe(true)
    expect([...channels.values()].map(({ name }) => name)).toContain('crew')
    const events = await other.db
      .selectFrom('audit_event')
      .select(['action', 'subject', 'details'])
      .orderBy('id', 'desc')
      .limit(4)
      .execute()
    expect(events.map(({ action, subject }) => `${action} ${subject}`.trim())).toEqual([
      'config.apply',
      'option.update GitHubClientSecret',
      'option.update GitHubClientId',
      'option.update GitHubOAuthEnabled',
    ])
    expect(events[1]!.details).toEqual({ config_file: true })
  })

  it('cannot disable the last login method', async () => {
    const problems = await there.problems(
      'tidegate: 1\noptions:\n  GitHubOAuthEnabled: false\n  PasswordLoginEnabled: false\n',
    )

    expect(problems.map(({ line }) => line)).toEqual([3, 4])
    expect(problems[0]!.zh).toBe('不能关闭最后一种登录方式')
  })

  it('resets an option or field with null', async () => {
    await there.apply(
      'tidegate: 1\noptions: {SystemName: null}\nchannels: [{name: openai – main, weight: null, model_mapping: null}]',
    )

    expect(await there.export()).not.toMatch(/SystemName|weight|model_mapping/)
  })

  it('removes other channels only with prune', async () => {
    const yaml = 'tidegate: 1\nchannels: [{name: claude}]'
    expect(plannedActions(await there.plan(yaml))).toEqual({})

    const done = await there.apply(yaml, { prune: true })

    expect(plannedActions(done)).toEqual({ 'channel crew': 'delete', 'channel openai – main': 'delete' })
    expect([...other.deps.catalog().channels.values()].map(({ name }) => name)).toEqual(['claude'])
    expect(await there.problems('tidegate: 1', { prune: true })).toMatchObject([{ place: 'channels' }])
  })

  it('keeps an automatically disabled channel', async () => {
    await other.db.updateTable('channel').set({ status: 3 }).where('name', '=', 'claude').execute()

    expect(plannedActions(await there.plan('tidegate: 1\nchannels: [{name: claude, status: enabled}]'))).toEqual({})
    expect(await there.export()).not.toContain('status:')
  })
})

describe('an invalid config file', () => {
  it('is rejected with all problems by line, and changes nothing', async () => {
    const before = await here.export()
    const yaml = `tidegate: 1
options:
  SystemName: Reef
  RebatePercentage: 101
  NoSuchOption: 1
  RegisterEnabled: maybe
  global_model_mapping: {}
models:
  fast: []
channels:
  - name: claude
    weight: -1
    colour: red
    groups: [nobody]
  - name: new one
    models: [a]
  - type: 1
surprise: 1
`
    const expected = await here.problems(yaml)

    expect(expected.map(({ line, place }) => [line, place])).toEqual([
      [4, 'options.RebatePercentage'],
      [5, 'options.NoSuchOption'],
      [6, 'options.RegisterEnabled'],
      [7, 'options.global_model_mapping'],
      [9, 'models.fast'],
      [12, 'channels.claude.weight'],
      [13, 'channels.claude.colour'],
      [14, 'channels.claude.groups'],
      [15, 'channels.new one'],
      [17, 'channels'],
      [18, 'surprise'],
    ])
    const { version } = site.deps.catalog()
    const { envelope } = await root.send(api.applyConfig, { body: { yaml, expect_version: version } })
    expect(envelope).toMatchObject({ success: false, code: 'config_file_invalid', data: { problems: expected } })
    expect(await here.export()).toBe(before)
    expect(site.deps.catalog().version).toBe(version)
  })

  it.each([
    ['', 1],
    ['tidegate: 2', 1],
    ['options: {}', 1],
    ['tidegate: 1\noptions:\n  SystemName: a\n  SystemName: b', 4],
    ['tidegate: 1\noptions: {SystemName: [a}', 2],
    ['tidegate: 1\noptions: {SMTPToken: env:HOME}', 2],
    ['tidegate: 1\noptions:\n  SMTPToken: sealed:v1:AAAA', 3],
    ['tidegate: 1\nchannels:\n  - name: claude\n  - name: claude', 4],
    ['tidegate: 1\nmodels:\n  v: [{model: w}]\n  w: [{model: a}]', 3],
  ])('%j has a problem on line %i', async (yaml, line) => {
    const problems = await here.problems(yaml)

    expect(problems.map((problem) => problem.line)).toContain(line)
  })

  it('cannot be opened with another passphrase', async () => {
    const yaml = await here.export(PASSPHRASE)

    const problems = await there.problems(yaml, { passphrase: 'high tide at noon' })

    expect(problems.map(({ place }) => place)).toEqual([
      'options.SMTPToken',
      'channels.claude.keys',
      'channels.openai – main.keys',
    ])
  })

  it('is rejected for a channel name that exists twice', async () => {
    const twin = { type: 1, name: 'twin', key: 'sk-twin-0123456789', models: 'a' }
    for (const body of [twin, twin]) await root.call(api.createChannel, { body })

    expect(await here.problems('tidegate: 1\nchannels: [{name: twin}]')).toMatchObject([
      { line: 2, place: 'channels.twin' },
    ])
    expect(await here.problems('tidegate: 1\nchannels: [{name: claude}]')).toEqual([])
    expect(await here.export()).toContain('# More than one channel is named "twin"')
  })
})

it('is exported without keys that cannot be opened, and names their channels', async () => {
  await other.db.updateTable('channel').set({ sealed_key: 'v1.broken' }).where('name', '=', 'claude').execute()

  const yaml = await there.export(PASSPHRASE)

  expect(yaml).toContain('# The keys of channel "claude" do not open and are left out.')
  expect(yaml).not.toContain('keys: ')
})

describe('a config plan', () => {
  const yaml = (name: string) => `tidegate: 1\noptions: {SystemName: ${name}}`

  it('is rejected when it is outdated', async () => {
    const { version } = await here.plan(yaml('Late'))
    await put('Footer', 'meanwhile')

    const { envelope } = await root.send(api.applyConfig, { body: { yaml: yaml('Late'), expect_version: version } })

    expect(envelope).toMatchObject({ success: false, code: 'config_changed_meanwhile' })
    expect(site.deps.catalog().settings.SystemName).not.toBe('Late')
  })

  it('is applied once for two concurrent requests', async () => {
    const { version } = await here.plan(yaml('One'))

    const responses = await Promise.all(
      ['One', 'Two'].map((name) => root.send(api.applyConfig, { body: { yaml: yaml(name), expect_version: version } })),
    )

    const codes = responses.map(({ envelope }) => (envelope.success ? 'done' : envelope.code))
    expect(codes.toSorted()).toEqual(['config_changed_meanwhile', 'done'])
    expect(site.deps.catalog().settings.SystemName).toBe(['One', 'Two'][codes.indexOf('done')])
  })
})
