import { api } from '@tidegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../test/registration-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
})
afterAll(() => site.close())

it('mails the owner about a password change in the language of the caller, without the password', async () => {
  const client = await site.signedIn('user')
  const email = 'owner@example.com'
  await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()

  await client.call(api.updateSelf, { body: { password: 'ebb-and-flow' }, headers: { 'accept-language': 'en' } })

  const mail = await site.outboxMail(email, 'Your password was changed')
  expect(mail.text).toContain('127.0.0.1')
  expect(mail.text).not.toContain('ebb-and-flow')
})

it('accepts another notification address with the mailed code', async () => {
  const client = await site.signedIn('user')
  const notification_email = 'notifications@example.com'
  await client.call(api.requestVerification, { query: { email: notification_email } })
  const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(notification_email)).text)![0]

  await client.call(api.updateSetting, { body: { notification_email, notification_email_code: code } })

  expect(JSON.parse((await client.call(api.getSelf)).setting)).toMatchObject({ notification_email })
})
