import { api } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient & { username: string }
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const put = (key: string, value: string | number | boolean) => root.call(api.updateOption, { body: { key, value } })
const historyOf = async (key: string) => (await root.call(api.listOptionHistory, { query: { key } })).items
const restore = (id: number) => root.send(api.restoreOption, { path: { id } })
const valueOf = async (key: string) =>
  (await root.call(api.listOptions)).find((option) => option.key === key)?.value ?? ''

/** The newest change of an option. */
async function lastChange(key: string): Promise<api.OptionChange> {
  const [newest] = await historyOf(key)
  return newest!
}

describe('the option history', () => {
  it('lists changes with actor, before and after, newest first', async () => {
    await put('SystemName', 'Harbour')
    await put('SystemName', 'Reef')

    const [newest, older] = await historyOf('SystemName')

    expect(newest).toMatchObject({
      key: 'SystemName',
      actor: root.username,
      actor_id: root.userId,
      before: 'Harbour',
      after: 'Reef',
      secret: false,
      way: 'edit',
    })
    expect(older).toMatchObject({ after: 'Harbour' })
    expect(Math.abs(newest!.created_at - Date.now() / 1000)).toBeLessThan(60)
  })

  it('lists all options with paging', async () => {
    await put('Footer', 'one')
    await put('TopUpLink', 'https://shop.example')

    const first = await root.call(api.listOptionHistory, { query: { p: 1, page_size: 1 } })
    const second = await root.call(api.listOptionHistory, { query: { p: 2, page_size: 1 } })

    expect(first.items.map(({ key }) => key)).toEqual(['TopUpLink'])
    expect(second.items.map(({ key }) => key)).toEqual(['Footer'])
    expect(first.total).toBeGreaterThanOrEqual(2)
  })

  it('includes changes of virtual models', async () => {
    await root.call(api.updateModelMapping, { body: { mapping: { fast: [{ model: 'gpt-4o-mini' }] } } })

    expect(JSON.parse((await lastChange('global_model_mapping')).after!)).toEqual({
      mapping: { fast: [{ model: 'gpt-4o-mini', priorities: 0 }] },
    })
  })

  it('hides values of secrets, also of older versions', async () => {
    await put('SMTPToken', 'hunter2-and-more')
    const details = { before: 'hunter2-and-more', after: 'hunter3-and-more' }
    await auditEvents.record(site.db, { actorId: null, action: 'option.update', subject: 'SMTPToken', details })

    const changes = await historyOf('SMTPToken')

    expect(changes).toMatchObject([
      { secret: true, before: null, after: null, actor_id: 0, actor: '' },
      { secret: true, before: null, after: null },
    ])
    expect(JSON.stringify(changes)).not.toContain('hunter')
  })
})

describe('restoring an option', () => {
  it('is recorded with its source', async () => {
    await put('GroupRatio', '{"default":1,"vip":2}')
    await put('GroupRatio', '{"default":1,"vip":3}')
    const mistake = await lastChange('GroupRatio')

    expect((await restore(mistake.id)).envelope).toMatchObject({ success: true })

    expect(site.deps.catalog().settings.GroupRatio).toMatchObject({ vip: 2 })
    expect(await lastChange('GroupRatio')).toMatchObject({
      way: 'restore',
      before: mistake.after,
      after: mistake.before,
    })
    const [event] = await auditEvents.page(site.db, { subject: 'GroupRatio' }, { limit: 1, offset: 0 })
    expect(event?.details).toMatchObject({ restored_from: mistake.id })
  })

  it('validates the value', async () => {
    await put('ServerAddress', 'https://gate.example')
    await put('GitHubClientId', 'an id')
    const filledIn = await lastChange('GitHubClientId')
    await put('GitHubClientSecret', 'a secret')
    await put('GitHubOAuthEnabled', true)

    expect((await restore(filledIn.id)).envelope).toMatchObject({ success: false, code: 'option_guard_in_use' })

    expect(await valueOf('GitHubClientId')).toBe('an id')
  })

  it.each([
    ['a secret', 'option.update', 'SMTPToken', {}, 'option_change_secret'],
    [
      'one that does not say what was before',
      'option.update',
      'Footer',
      { after: 'x' },
      'option_change_without_before',
    ],
    ['an option that is no more', 'option.update', 'Gone', { before: 'x', after: 'y' }, 'option_unknown'],
    ['something else', 'user.update', '7', { before: 'x' }, 'option_change_not_found'],
  ])('cannot be %s', async (_what, action, subject, details, code) => {
    await auditEvents.record(site.db, { actorId: root.userId!, action, subject, details })
    const [event] = await auditEvents.page(site.db, { action, subject }, { limit: 1, offset: 0 })
    const before = await root.call(api.listOptions)

    expect((await restore(event!.id)).envelope).toMatchObject({ success: false, code })

    expect(await root.call(api.listOptions)).toEqual(before)
  })

  it('requires an existing change', async () => {
    expect((await restore(999_999_999)).envelope).toMatchObject({ code: 'option_change_not_found' })
  })
})
