import { api, OPTION_KEYS } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../test/registration-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
})
afterAll(() => site.close())

describe('option metadata', () => {
  it('lists all options in page order with place, kind and default', async () => {
    const facts = await site.root.call(api.getOptionSchema)

    expect(facts.map(({ key }) => key)).toEqual(OPTION_KEYS)
    expect(facts.find(({ key }) => key === 'DataExportDefaultTime')).toEqual({
      key: 'DataExportDefaultTime',
      kind: 'choice',
      tab: 'operation',
      section: 'dashboard',
      default: 'hour',
      choices: ['hour', 'day', 'week'],
      secret: false,
      is_set: true,
    })
  })

  it('shows only whether a secret is set', async () => {
    const tokenFacts = async () => {
      const facts = await site.root.call(api.getOptionSchema)
      return facts.find(({ key }) => key === 'SMTPToken')
    }
    expect(await tokenFacts()).toMatchObject({ secret: true, is_set: false, default: '' })

    await site.set({ SMTPToken: 'hunter2-and-more' })

    expect(await tokenFacts()).toMatchObject({ secret: true, is_set: true })
    expect(JSON.stringify(await site.root.call(api.getOptionSchema))).not.toContain('hunter2')
    await site.set({ SMTPToken: '' })
  })

  it('requires the super admin', async () => {
    const admin = await site.signedIn('admin')

    await expect(admin.call(api.getOptionSchema)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(admin.call(api.sendTestMail, { body: { to: 'a@reef.example' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('a test mail', () => {
  const send = (to: string) => site.root.call(api.sendTestMail, { body: { to } })

  it('is sent at once through the stored server', async () => {
    expect(await send('operator@reef.example')).toEqual({ sent: true, problem: '' })

    const mail = await site.mailbox.mailTo('operator@reef.example')
    expect(mail.subject).toContain('Harbour <1>')
  })

  it('returns the error of an unreachable server', async () => {
    await site.set({ SMTPPort: '1' })

    const { sent, problem } = await send('operator@reef.example')
    await site.set({ SMTPPort: String(site.mailbox.port) })

    expect(sent).toBe(false)
    expect(problem).toContain('ECONNREFUSED')
  })

  it.each(['', 'nobody', 'a@b, c@d.example'])('is not sent to %j', async (to) => {
    await expect(send(to)).rejects.toMatchObject({ code: 'email_invalid' })
  })

  it('needs a mail server', async () => {
    await site.set({ SMTPServer: '' })

    await expect(send('operator@reef.example')).rejects.toMatchObject({ code: 'mail_not_configured' })
    await site.set({ SMTPServer: '127.0.0.1' })
  })
})
