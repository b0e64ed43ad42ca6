import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

const mapping = {
  fast: [
    { model: 'gpt-4o-mini', priorities: 1 },
    { model: 'claude-haiku', priorities: 1 },
    { model: 'o1', priorities: 0 },
  ],
}

describe('virtual models', () => {
  it('are empty at first', async () => {
    expect(await admin.call(api.getModelMapping)).toEqual({ mapping: {} })
  })

  it('are replaced as a whole, at once, with an audit event', async () => {
    await admin.call(api.updateModelMapping, { body: { mapping } })

    expect(await admin.call(api.getModelMapping)).toEqual({ mapping })
    expect(await admin.call(api.getModelMappingConfig)).toEqual({ mapping })
    expect(site.deps.catalog().settings.global_model_mapping).toEqual({ mapping })
    const stored = await site.db
      .selectFrom('option')
      .select('value')
      .where('key', '=', 'global_model_mapping')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(stored.value)).toEqual({ mapping })
    const event = await site.db
      .selectFrom('audit_event')
      .selectAll()
      .where('subject', '=', 'global_model_mapping')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ action: 'option.update', actor_id: admin.userId })

    const slow = { slow: [{ model: 'o1' }] }
    await admin.call(api.updateModelMappingConfig, { body: { mapping: slow } })
    expect(await admin.call(api.getModelMapping)).toEqual({ mapping: { slow: [{ model: 'o1', priorities: 0 }] } })
  })

  it.each([
    [undefined, 'model_mapping_malformed'],
    [[], 'model_mapping_malformed'],
    [{ mapping: [] }, 'model_mapping_malformed'],
    [{ mapping: { ' ': [{ model: 'a' }] } }, 'model_mapping_name_required'],
    [{ mapping: { constructor: [{ model: 'a' }] } }, 'model_mapping_name_invalid'],
    [{ mapping: { 'a ': [{ model: 'a' }] } }, 'model_mapping_name_invalid'],
    [{ mapping: { v: [] } }, 'model_mapping_targets_required'],
    [{ mapping: { v: 'a' } }, 'model_mapping_targets_required'],
    [{ mapping: { v: [{ model: ' ' }] } }, 'model_mapping_target_blank'],
    [{ mapping: { v: [{ priorities: 1 }] } }, 'model_mapping_target_blank'],
    [{ mapping: { v: [{ model: 'a' }, { model: ' a' }] } }, 'model_mapping_target_repeated'],
    [{ mapping: { v: [{ model: 'a', priorities: -1 }] } }, 'model_mapping_priority_invalid'],
    [{ mapping: { v: [{ model: 'a', priorities: 1.5 }] } }, 'model_mapping_priority_invalid'],
    [{ mapping: { v: [{ model: 'w' }], w: [{ model: 'a' }] } }, 'model_mapping_target_virtual'],
    [{ mapping: { v: [{ model: 'v' }] } }, 'model_mapping_target_virtual'],
  ])('reject %j with HTTP 400 and stay unchanged', async (body, code) => {
    const before = await admin.call(api.getModelMapping)

    for (const endpoint of [api.updateModelMapping, api.updateModelMappingConfig]) {
      const { response, envelope } = await admin.send(endpoint, { body })
      expect(response.status).toBe(400)
      expect(envelope).toMatchObject({ success: false, code })
    }

    expect(await admin.call(api.getModelMapping)).toEqual(before)
  })

  it('keep a concurrent change', async () => {
    const targets = [{ model: 'o1', priorities: 0 }]
    const put = (name: string, tag: string) =>
      admin.send(api.updateModelMapping, { body: { mapping: { [name]: targets } }, headers: { 'if-match': tag } })
    const { response } = await admin.send(api.getModelMapping)
    const tag = response.headers.get('etag')!

    const first = await put('first', tag)
    const second = await put('second', tag)

    expect(first.envelope).toMatchObject({ success: true })
    expect(second.response.status).toBe(412)
    expect(second.envelope).toMatchObject({ success: false, code: 'edit_conflict' })
    expect(await admin.call(api.getModelMapping)).toEqual({ mapping: { first: targets } })
    expect((await put('second', first.response.headers.get('etag')!)).envelope).toMatchObject({ success: true })
  })

  it('can be reloaded', async () => {
    const put = (value: string) =>
      site.db.updateTable('option').set({ value }).where('key', '=', 'global_model_mapping').execute()
    await put(JSON.stringify({ mapping: { v: [{ model: 'behind-our-back', priorities: 2 }] } }))
    await admin.call(api.reloadModelMapping)
    expect((await admin.call(api.getModelMapping)).mapping).toEqual({
      v: [{ model: 'behind-our-back', priorities: 2 }],
    })

    await put('{"mapping":')
    const { response, envelope } = await admin.send(api.reloadModelMapping)
    expect(response.status).toBe(500)
    expect(envelope).toMatchObject({ success: false, code: 'model_mapping_unreadable' })
  })
})
