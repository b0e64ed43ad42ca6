import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const put = (key: string, value: string | number | boolean) => root.send(api.updateOption, { body: { key, value } })
const storedOption = (key: string) =>
  site.db.selectFrom('option').select('value').where('key', '=', key).executeTakeFirst()

describe('an option', () => {
  it('takes effect before the response, sent as text, number or boolean', async () => {
    await put('SystemName', 'Harbour')
    await put('QuotaPerUnit', 250_000)
    await put('DisplayInCurrencyEnabled', false)

    expect(await root.call(api.getStatus)).toMatchObject({
      system_name: 'Harbour',
      quota_per_unit: 250_000,
      display_in_currency: false,
    })
  })

  it.each([
    ['NoSuchOption', 'x', 'option_unknown'],
    ['GroupRatio', '{"default": -1}', 'option_invalid'],
    ['GroupRatio', '{"default": 1', 'option_invalid'],
    ['ModelRatio', '["not", "a", "map"]', 'option_invalid'],
    ['RebatePercentage', '101', 'option_invalid'],
    ['GitHubOAuthEnabled', 'true', 'option_guard_needs'],
  ])('%s rejects %o and changes neither database nor memory', async (key, value, code) => {
    const before = site.deps.catalog().settings

    const { response, envelope } = await put(key, value)

    expect(response.status).toBe(200)
    expect(envelope).toMatchObject({ success: false, code })
    expect(await storedOption(key)).toBeUndefined()
    expect(site.deps.catalog().settings).toEqual(before)
  })

  it('can be saved right after the options it needs', async () => {
    await put('ServerAddress', 'https://gate.example')
    await put('GitHubClientId', 'an id')
    await put('GitHubClientSecret', 'a secret')

    expect((await put('GitHubOAuthEnabled', true)).envelope).toMatchObject({ success: true })
    expect((await put('GitHubClientSecret', '')).envelope).toMatchObject({ code: 'option_guard_in_use' })
  })

  it('is stored sealed, never listed and never audited if it is a secret', async () => {
    await put('SMTPToken', 'hunter2-and-more')

    const rows = await root.call(api.listOptions)
    const audit = await site.db
      .selectFrom('audit_event')
      .select(['subject', 'details'])
      .where('subject', '=', 'SMTPToken')
      .execute()

    expect((await storedOption('SMTPToken'))?.value).not.toContain('hunter2')
    expect(site.deps.catalog().settings.SMTPToken).toBe('hunter2-and-more')
    expect(rows.map(({ key }) => key)).not.toContain('SMTPToken')
    expect(rows.map(({ key }) => key)).toContain('TurnstileSiteKey')
    expect(audit).toEqual([{ subject: 'SMTPToken', details: {} }])
  })

  it('records actor, before and after', async () => {
    await put('TopUpLink', 'https://shop.example')

    const [event] = await site.db.selectFrom('audit_event').selectAll().where('subject', '=', 'TopUpLink').execute()

    expect(event).toMatchObject({
      actor_id: root.userId,
      action: 'option.update',
      details: { before: '', after: 'https://shop.example' },
      client_ip: '127.0.0.1',
    })
  })

  it('keeps rules between options for concurrent saves', async () => {
    const responses = await Promise.all([put('SelfUseModeEnabled', true), put('DemoSiteEnabled', true)])

    expect(responses.filter(({ envelope }) => envelope.success)).toHaveLength(1)
    const { SelfUseModeEnabled, DemoSiteEnabled } = site.deps.catalog().settings
    expect([SelfUseModeEnabled, DemoSiteEnabled].filter(Boolean)).toHaveLength(1)
  })
})

it('allows only the super admin to change options of a demo site', async () => {
  await put('SelfUseModeEnabled', false)
  await put('DemoSiteEnabled', true)
  const user = await site.signedIn('user')

  const { response, envelope } = await user.send(api.createToken, { body: { name: 'x' } })
  await user.call(api.listTokens)
  await put('DemoSiteEnabled', false)

  expect(response.status).toBe(405)
  expect(envelope).toMatchObject({ success: false, code: 'demo_site', message: '本站仅作演示之用，无服务端！' })
})

describe('several options', () => {
  const putAll = (updates: { key: string; value: string; etag?: string }[]) =>
    root.send(api.updateOptions, { body: { options: updates } })
  const etagOf = async (key: string) => (await root.call(api.listOptions)).find((option) => option.key === key)!.etag

  it('are saved together and return their new versions', async () => {
    const { envelope } = await putAll([
      { key: 'ModelRatio', value: '{"batch":1}' },
      { key: 'CompletionRatio', value: '{"batch":4}' },
    ])

    expect(site.deps.catalog().settings).toMatchObject({ ModelRatio: { batch: 1 }, CompletionRatio: { batch: 4 } })
    const versions = await Promise.all(['ModelRatio', 'CompletionRatio'].map(async (key) => [key, await etagOf(key)]))
    expect(envelope).toMatchObject({ success: true, data: versions.map(([key, etag]) => ({ key, etag })) })
  })

  it.each([
    ['an invalid value', { key: 'CompletionRatio', value: '{"batch":-1}' }, 'option_invalid'],
    ['an unknown option', { key: 'NoSuchOption', value: '1' }, 'option_unknown'],
    ['an outdated version', { key: 'CompletionRatio', value: '{}', etag: '"old"' }, 'edit_conflict'],
  ])('change nothing because of %s', async (_reason, rejected, code) => {
    const before = site.deps.catalog().settings

    const { envelope } = await putAll([{ key: 'ModelRatio', value: '{"other":9}' }, rejected])

    expect(envelope).toMatchObject({ success: false, code })
    expect(site.deps.catalog().settings).toEqual(before)
    expect((await storedOption('ModelRatio'))?.value).not.toContain('other')
  })

  it('may depend on each other in their order', async () => {
    await put('ServerAddress', 'https://gate.example')
    const { envelope } = await putAll([
      { key: 'LinuxDOClientId', value: 'an id' },
      { key: 'LinuxDOClientSecret', value: 'a secret' },
      { key: 'LinuxDOOAuthEnabled', value: 'true' },
    ])

    expect(envelope).toMatchObject({ success: true })
  })

  it('are rejected for administrators without the area of one of them', async () => {
    const admin = await site.signedIn('admin')
    await root.call(api.setSettingsAreas, { body: { id: admin.userId!, areas: ['groups'] } })

    const { envelope } = await admin.send(api.updateOptions, {
      body: { options: [{ key: 'SystemName', value: 'Taken over' }] },
    })

    expect(envelope).toMatchObject({ success: false, code: 'option_not_granted' })
  })
})
