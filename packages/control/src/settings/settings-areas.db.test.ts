import {
  api,
  OPTION_KEYS,
  optionDefinition,
  SETTINGS_AREA_NAMES,
  SETTINGS_AREAS,
  type OptionKey,
  type SettingsArea,
} from '@tidegate/contract'
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

const grant = (client: ApiClient, areas: SettingsArea[]) =>
  root.call(api.setSettingsAreas, { body: { id: client.userId!, areas } })
async function adminWith(...areas: SettingsArea[]) {
  const client = await site.signedIn('admin')
  if (areas.length > 0) await grant(client, areas)
  return client
}
/** The current value, which is valid. */
const textOf = (key: OptionKey) => {
  const { format } = optionDefinition(key)
  return format(site.deps.catalog().settings[key])
}
const put = (client: ApiClient, key: string, value = textOf(key as OptionKey)) =>
  client.send(api.updateOption, { body: { key, value } })

describe.each(SETTINGS_AREA_NAMES)('the settings area %s', (area) => {
  it('lets an administrator read and change only its options', async () => {
    const client = await adminWith(area)
    const granted: readonly string[] = SETTINGS_AREAS[area]

    const rows = (await client.call(api.listOptions)).map(({ key }) => key)
    const facts = (await client.call(api.getOptionSchema)).map(({ key }) => key)
    expect(rows.toSorted()).toEqual(granted.toSorted())
    expect(facts.toSorted()).toEqual(granted.toSorted())
    for (const key of OPTION_KEYS) {
      const { response, envelope } = await put(client, key)
      if (granted.includes(key)) expect(envelope, key).toMatchObject({ success: true })
      else
        expect({ status: response.status, ...envelope }, key).toMatchObject({ status: 403, code: 'option_not_granted' })
    }
  })

  it('is closed to other administrators', async () => {
    const client = await adminWith()

    for (const key of SETTINGS_AREAS[area])
      expect((await put(client, key)).envelope).toMatchObject({ code: 'forbidden' })
    expect((await client.send(api.listOptions)).envelope).toMatchObject({ code: 'forbidden' })
  })
})

describe('a delegated settings area', () => {
  it('contains no secret', () => {
    const secrets = Object.values(SETTINGS_AREAS)
      .flat()
      .filter((key) => optionDefinition(key).secret)

    expect(secrets).toEqual([])
  })

  it('is revoked at once, also by a role change', async () => {
    const client = await adminWith('prices', 'groups')
    expect((await put(client, 'GroupRatio')).envelope).toMatchObject({ success: true })

    await grant(client, ['prices'])
    expect((await put(client, 'GroupRatio')).envelope).toMatchObject({ code: 'option_not_granted' })
    expect((await put(client, 'ModelRatio')).envelope).toMatchObject({ success: true })
    await grant(client, [])
    expect((await put(client, 'ModelRatio')).envelope).toMatchObject({ code: 'forbidden' })

    await grant(client, ['prices'])
    for (const action of ['demote', 'promote'])
      await root.call(api.manageUser, { body: { id: client.userId!, action } })
    const { settings_areas } = await root.call(api.getUser, { path: { id: client.userId! } })
    expect(settings_areas).toEqual([])
  })

  it('includes simulation and price list if it covers prices', async () => {
    const prices = await adminWith('prices')
    const groups = await adminWith('groups')
    const body = { changes: [{ key: 'ModelRatio' as const, value: '{"m":2}' }] }

    expect((await prices.send(api.simulatePrices, { body })).envelope).toMatchObject({ success: true })
    expect((await prices.send(api.getListPrice, { query: { model: 'gpt-4o' } })).envelope).toMatchObject({
      success: true,
    })
    expect((await groups.send(api.simulatePrices, { body })).envelope).toMatchObject({ code: 'forbidden' })
    for (const endpoint of [api.listOptionHistory, api.exportConfig]) {
      expect((await prices.send(endpoint, { body: undefined })).envelope).toMatchObject({ code: 'forbidden' })
    }
  })

  it('still requires re-authentication for guarded options', async () => {
    const client = await adminWith('announcements')
    await site.db
      .updateTable('session')
      .set({ proved_at: new Date(0) })
      .where('user_id', '=', client.userId!)
      .execute()

    expect((await put(client, 'Notice', 'changed')).envelope).toMatchObject({ code: 'proof_required' })
  })

  it('is closed to automation tokens of the administrator', async () => {
    const client = await adminWith('prices')

    const made = await client.send(api.createAutomationToken, { body: { name: 'robot', scopes: ['options:write'] } })

    expect(made.envelope).toMatchObject({ code: 'scope_unknown' })
  })

  it('is visible to its administrator and recorded', async () => {
    const client = await adminWith('groups')
    await put(client, 'GroupRatio', '{"default":1,"vip":0.5}')

    expect(await client.call(api.getSelf)).toMatchObject({ settings_areas: ['groups'] })
    const events = await site.db
      .selectFrom('audit_event')
      .select(['actor_id', 'action', 'subject', 'details'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(events).toMatchObject([
      { actor_id: client.userId, action: 'option.update', subject: 'GroupRatio' },
      {
        actor_id: root.userId,
        action: 'user.settings_areas',
        subject: String(client.userId),
        details: { before: [], after: ['groups'] },
      },
    ])
  })
})

describe('delegating a settings area', () => {
  it('requires the super admin, an administrator and an existing area', async () => {
    const user = await site.signedIn('user')
    const admin = await adminWith()
    const send = (client: ApiClient, id: number, areas: string[]) =>
      client.send(api.setSettingsAreas, { body: { id, areas: areas as SettingsArea[] } })

    expect((await send(admin, admin.userId!, ['prices'])).envelope).toMatchObject({ code: 'forbidden' })
    expect((await send(root, user.userId!, ['prices'])).envelope).toMatchObject({ code: 'areas_need_admin' })
    expect((await send(root, root.userId!, ['prices'])).envelope).toMatchObject({ code: 'areas_need_admin' })
    expect((await send(root, admin.userId!, ['payment'])).envelope).toMatchObject({ success: false })
    expect((await send(root, 999_999, ['prices'])).envelope).toMatchObject({ code: 'user_not_found' })
  })
})
