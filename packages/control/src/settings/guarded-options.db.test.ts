import { api, OPTION_KEYS, optionDefinition, type OptionKey } from '@tidegate/contract'
import { apiClient, startMailbox, type Mailbox } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { ADDRESS, errorCode, startSecuritySite, type Client, type SecuritySite } from '../../test/security-site.ts'
import { PASSWORD } from '../../test/start-site.ts'

const ROOT_EMAIL = 'root@corp.example'

let site: SecuritySite
let thief: Mailbox
let root: Client
beforeAll(async () => {
  site = await startSecuritySite()
  thief = await startMailbox()
  root = site.root
  await site.db.updateTable('user').set({ email: ROOT_EMAIL }).where('id', '=', root.userId!).execute()
})
afterAll(async () => {
  await site.close()
  await thief.close()
})
beforeEach(async () => {
  site.forgetLimits()
  await site.freshRoot()
})

const loginGetsOld = () => site.passSeconds(601)
const put = (key: string, value: string) => errorCode(root.send(api.updateOption, { body: { key, value } }))
const guarded = OPTION_KEYS.filter((key) => optionDefinition(key).guard === 'reauth')

/** A valid value that differs from the current one. */
function otherValue(key: OptionKey): string {
  const { kind, choices, default: initial, format } = optionDefinition(key)
  if (key === 'SMTPFrom') return 'mail@thief.example'
  if (key === 'audit.syslog_address') return 'tcp://thief.example:514'
  if (key === 'security.console_allowed_addresses') return '127.0.0.0/8'
  if (key === 'Chats') return '[{"thief":"https://thief.example/{key}"}]'
  if (kind === 'boolean') return String(!site.deps.catalog().settings[key])
  if (kind === 'integer') return String((initial as number) + 1)
  if (kind === 'choice') return choices!.find((choice) => choice !== format(initial))!
  return kind === 'url' ? 'https://thief.example' : 'thief.example'
}

describe('a session without recent re-authentication', () => {
  it('cannot send the SMTP password to another server', async () => {
    loginGetsOld()

    expect(await put('SMTPServer', 'localhost')).toBe('proof_required')
    expect(await put('SMTPPort', String(thief.port))).toBe('proof_required')
    await root.send(api.sendTestMail, { body: { to: 'thief@thief.example' } })

    expect(thief.attempts()).toBe(0)
    expect(thief.logins).toEqual([])
  })

  it('cannot redirect the password reset of the super admin', async () => {
    loginGetsOld()

    expect(await put('SMTPPort', String(thief.port))).toBe('proof_required')
    expect(await put('ServerAddress', 'https://thief.example')).toBe('proof_required')
    await apiClient(site.url).send(api.postPasswordReset, { body: { email: ROOT_EMAIL } })

    expect((await site.mailbox.mailTo(ROOT_EMAIL)).text).toContain(`${ADDRESS}/user/reset`)
    expect(thief.attempts()).toBe(0)
  })

  it.each(guarded)('cannot change %s', async (key) => {
    const before = site.deps.catalog().settings[key]
    loginGetsOld()

    expect(await put(key, otherValue(key))).toBe('proof_required')
    expect(site.deps.catalog().settings[key]).toEqual(before)
  })

  it('can save a guarded option unchanged, but not test a guess of a secret', async () => {
    await site.set({ SMTPToken: 'a-secret' })
    loginGetsOld()

    expect(await put('ServerAddress', `${site.deps.catalog().settings.ServerAddress}/`)).toBeUndefined()
    expect(await put('SMTPPort', String(site.deps.catalog().settings.SMTPPort))).toBeUndefined()
    expect(await put('SMTPToken', 'a-secret')).toBe('proof_required')
  })

  it('cannot restore an earlier value of a guarded option', async () => {
    await site.set({ PayAddress: 'https://one.example' })
    await site.set({ PayAddress: 'https://two.example' })
    const { items } = await root.call(api.listOptionHistory, { query: { key: 'PayAddress' } })
    loginGetsOld()
    const restore = () => errorCode(root.send(api.restoreOption, { path: { id: items[0]!.id } }))

    expect(await restore()).toBe('proof_required')
    await root.call(api.proveOwner, { body: { password: PASSWORD } })
    expect(await restore()).toBeUndefined()
  })
})

it('records old and new address in the audit trail', async () => {
  await site.set({ WorkerUrl: 'https://one.example' })
  await site.set({ WorkerUrl: 'https://two.example' })

  const { details } = await site.db
    .selectFrom('audit_event')
    .select('details')
    .where('subject', '=', 'WorkerUrl')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

  expect(details).toMatchObject({ before: 'https://one.example', after: 'https://two.example' })
})

it('lets an automation token with the scope change guarded options', async () => {
  const robot = await createAutomationClient(root, ['options:write'])

  const body = { key: 'WorkerUrl', value: 'https://three.example' }
  expect(await errorCode(robot.send(api.updateOption, { body }))).toBeUndefined()
})

describe('a mail to the super admin', () => {
  const mailsAbout = (mailbox: Mailbox, key: string) =>
    mailbox.mails.filter(({ to, text }) => to.includes(ROOT_EMAIL) && text.includes(key))

  it('about a new mail server uses the old one', async () => {
    const old = await startMailbox()
    await site.set({ SMTPPort: String(old.port), SMTPServer: '127.0.0.1', SMTPFrom: 'gate@example.com' })

    await site.set({ SMTPPort: String(thief.port) })

    await expect.poll(() => mailsAbout(old, 'SMTPPort')).toHaveLength(1)
    expect(mailsAbout(old, 'SMTPPort')[0]!.text).toContain(root.username)
    expect(mailsAbout(thief, 'SMTPPort')).toEqual([])
    await old.close()
  })

  it('is not sent for unchanged values or unguarded options', async () => {
    await site.set({ SMTPPort: String(site.mailbox.port), SMTPServer: '127.0.0.1', SMTPFrom: 'gate@example.com' })

    await site.set({ 'general_setting.docs_link': 'https://docs.example', SMTPServer: '127.0.0.1' })
    await site.set({ GitHubClientId: 'last' })

    await site.outboxMail(ROOT_EMAIL, '安全相关设置已更改')
    expect(mailsAbout(site.mailbox, 'GitHubClientId').length).toBeGreaterThan(0)
    expect(mailsAbout(site.mailbox, 'docs_link')).toEqual([])
    expect(mailsAbout(site.mailbox, 'SMTPServer')).toEqual([])
  })
})
