import { api, type BodyInput } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueCode } from '../auth/registration/verification.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
})
afterAll(() => site.close())

type Client = Awaited<ReturnType<TestSite['signedIn']>>

const codeOf = async (response: Promise<{ envelope: object }>) => ((await response).envelope as { code?: string }).code
const save = (client: Client, body: BodyInput<typeof api.updateSetting>) =>
  codeOf(client.send(api.updateSetting, { body }))
/** Settings of a user; the threshold of the site is shown as default. */
const DEFAULTS = { quota_warning_threshold: 500_000 }
const readSettings = async (client: Client): Promise<unknown> => JSON.parse((await client.call(api.getSelf)).setting)
const HOOK = { notify_type: 'webhook', webhook_url: 'https://hooks.example/in', webhook_secret: 'a-hook-secret' }

describe('user settings', () => {
  it('require re-authentication before a stored secret is sent to another address', async () => {
    const client = await site.signedIn('user')
    await save(client, HOOK)
    await site.db
      .updateTable('session')
      .set({ proved_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', client.userId!)
      .execute()
    const move = async (edit: object) => {
      const body = { webhook_url: 'https://elsewhere.example/in', ...edit }
      const { envelope } = await client.send(api.updateSetting, { body })
      return envelope.success ? undefined : envelope.code
    }

    expect(await move({})).toBe('proof_required')
    expect(await secretOf(client)).toBe(HOOK.webhook_secret)
    expect(await move({ webhook_url: HOOK.webhook_url })).toBeUndefined()
    expect(await move({ webhook_secret: 'another-secret' })).toBeUndefined()
    expect(await move({ webhook_url: HOOK.webhook_url, webhook_secret: null })).toBeUndefined()
  })

  it('are merged: switching the notification method keeps address and secret', async () => {
    const client = await site.signedIn('user')
    await save(client, { ...HOOK, quota_warning_threshold: 250_000 })

    await save(client, { notify_type: 'email', webhook_url: '', webhook_secret: '', show_ip_in_logs: true })

    expect(await readSettings(client)).toEqual({
      notify_type: 'email',
      webhook_url: HOOK.webhook_url,
      webhook_secret_set: true,
      webhook_bearer: false,
      quota_warning_threshold: 250_000,
      show_ip_in_logs: true,
    })
    expect(await secretOf(client)).toBe(HOOK.webhook_secret)
  })

  it('store the secret sealed and remove it on request', async () => {
    const client = await site.signedIn('user')
    await save(client, HOOK)
    expect(JSON.stringify(await storedSettings(client))).not.toContain(HOOK.webhook_secret)

    await save(client, { webhook_secret: null })

    expect(await storedSettings(client)).toEqual({ notify_type: 'webhook', webhook_url: HOOK.webhook_url })
  })

  it('store the console language for notifications if it differs from the site language', async () => {
    const client = await site.signedIn('user')
    const saveIn = (language: string) =>
      client.send(api.updateSetting, { body: { show_ip_in_logs: true }, headers: { 'accept-language': language } })

    await saveIn('en-GB')
    expect(await storedSettings(client)).toEqual({ show_ip_in_logs: true, language: 'en' })

    await saveIn('zh-CN')
    expect(await storedSettings(client)).toEqual({ show_ip_in_logs: true })
  })

  it('write an audit event with the webhook host, without its path or secret', async () => {
    const client = await site.signedIn('user')

    await save(client, { ...HOOK, webhook_url: 'https://hooks.example/services/T0K3N' })

    const trail = await site.db
      .selectFrom('audit_event')
      .select(['action', 'details'])
      .where('actor_id', '=', client.userId!)
      .where('action', '<>', 'user.login')
      .orderBy('id')
      .execute()
    const details = {
      after: { notify_type: 'webhook', webhook_host: 'hooks.example' },
      dropped: [],
      webhook_secret: 'changed',
    }
    expect(trail).toEqual([{ action: 'user.setting', details }])
  })

  it('do not overwrite other columns that change concurrently', async () => {
    const client = await site.signedIn('user')
    const row = () => site.db.selectFrom('user').selectAll().where('id', '=', client.userId!).executeTakeFirstOrThrow()
    const { setting: _, ...before } = await row()

    await save(client, HOOK)

    const { setting: __, ...after } = await row()
    expect(after).toEqual(before)
  })

  it.each([
    [{ notify_type: 'sms' }, 'notify_type_invalid'],
    [{ quota_warning_threshold: 0 }, 'threshold_invalid'],
    [{ quota_warning_threshold: -1 }, 'threshold_invalid'],
    [{ quota_warning_threshold: 1.5 }, 'threshold_invalid'],
    [{ quota_warning_threshold: 'lots' }, 'threshold_invalid'],
    [{ quota_warning_threshold: 1e16 }, 'threshold_invalid'],
    [{ notify_type: 'webhook' }, 'webhook_required'],
    [{ ...HOOK, webhook_secret: 'two\r\nlines' }, 'webhook_secret_invalid'],
    [{ ...HOOK, webhook_secret: 'x'.repeat(257) }, 'invalid_input'],
    [{ notification_email: 'a@b.example,c@d.example' }, 'email_invalid'],
    [{ notification_email: 'a@b.example\r\nBcc: c@d.example' }, 'email_invalid'],
  ])('reject %o and stay unchanged', async (body, code) => {
    const client = await site.signedIn('user')

    expect(await save(client, body)).toBe(code)
    expect(await readSettings(client)).toEqual(DEFAULTS)
  })

  it.each([
    'http://hooks.example/in',
    'ftp://hooks.example',
    'hooks.example',
    'https://user:word@hooks.example/',
    'https://hooks.example:8443/',
    'https://localhost/',
    'https://db.internal/',
    'https://router/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://100.64.0.1/',
  ])('reject the webhook %s', async (webhook_url) => {
    expect(await save(await site.signedIn('user'), { ...HOOK, webhook_url })).toBe('webhook_invalid')
  })
})

describe('the notification address', () => {
  it('needs no code if it is the account address', async () => {
    const client = await site.signedIn('user')
    await site.db.updateTable('user').set({ email: 'me@reef.example' }).where('id', '=', client.userId!).execute()

    expect(await save(client, { notification_email: 'Me@Reef.example' })).toBeUndefined()
    expect(await readSettings(client)).toEqual({ ...DEFAULTS, notification_email: 'me@reef.example' })
  })

  it('needs a code mailed to it for this user, once', async () => {
    const [client, otherUser] = [await site.signedIn('user'), await site.signedIn('user')]
    const address = 'elsewhere@reef.example'
    const notification_email = address
    await issueCode(site.deps, { purpose: 'bind', address, userId: client.userId! }, '123456', '127.0.0.1')

    expect(await save(client, { notification_email })).toBe('notification_code_required')
    expect(await save(client, { notification_email, notification_email_code: '654321' })).toBe('code_invalid')
    const right = { notification_email, notification_email_code: '123456' }
    expect(await save(otherUser, right)).toBe('code_invalid')
    expect(await save(client, right)).toBeUndefined()
    expect(await save(client, { notification_email })).toBeUndefined() // the form sends it back unchanged
    await save(client, { notification_email: '' })
    expect(await readSettings(client)).toEqual(DEFAULTS)
    expect(await save(client, right)).toBe('code_invalid')
  })
})

async function storedSettings({ userId }: Client): Promise<Record<string, unknown>> {
  const row = await site.db.selectFrom('user').select('setting').where('id', '=', userId!).executeTakeFirstOrThrow()
  return row.setting
}

async function secretOf(client: Client): Promise<string> {
  const { webhook_secret } = await storedSettings(client)
  return site.deps.vault.open('webhook-secret', String(client.userId), String(webhook_secret))
}
