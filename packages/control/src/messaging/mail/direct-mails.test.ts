import { readSettings } from '@tidegate/contract'
import { startMailbox, type Mailbox, type MailboxOptions } from '@tidegate/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createDirectMails } from './direct-mails.ts'
import { attemptMail, canMail } from './mail.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const mail = { to: 'reader@example.com', subject: '潮汐 code', text: '你好', html: '<p>你好</p>' }

async function mailbox(options?: MailboxOptions): Promise<Mailbox> {
  const box = await startMailbox(options)
  cleanups.push(() => box.close())
  return box
}

function settingsFor({ port }: { port: number }, overrides: Record<string, string> = {}) {
  const stored = { SMTPServer: '127.0.0.1', SMTPPort: String(port), SMTPFrom: 'gate@example.com', ...overrides }
  return readSettings(new Map(Object.entries(stored)))
}

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} }

function mailsTo(box: { port: number }, retrySeconds = [0.001, 0.001, 0.001]) {
  const problems: object[] = []
  const failedAttempts: object[] = []
  const log = {
    info: () => {},
    warn: (details: object) => void failedAttempts.push(details),
    error: (details: object) => void problems.push(details),
  }
  const catalog = () => ({ settings: settingsFor(box) }) as never
  const mails = createDirectMails({ catalog, log }, { retrySeconds, stopTimeoutMs: 30_000 })
  cleanups.push(() => mails.stop())
  return { mails, problems, failedAttempts }
}

describe('a direct mail', () => {
  it('is sent as text and HTML in any language', async () => {
    const box = await mailbox()

    mailsTo(box).mails.add(mail)

    expect(await box.mailTo(mail.to)).toMatchObject({
      to: [mail.to],
      subject: mail.subject,
      text: '你好',
      html: mail.html,
    })
  })

  it('is retried after temporary errors', async () => {
    const box = await mailbox({ rejections: [451, 451] })

    mailsTo(box).mails.add(mail)

    await box.mailTo(mail.to)
    expect(box.attempts()).toBe(3)
  })

  it('is given up after a permanent error, which is logged without the text', async () => {
    const box = await mailbox({ rejections: [554] })
    const { mails, problems } = mailsTo(box)

    mails.add(mail)

    await expect.poll(() => problems).toMatchObject([{ subject: mail.subject, tries: 1 }])
    expect(box.attempts()).toBe(1)
    expect(Object.keys(problems[0]!)).not.toContain('text')
  })

  it('is given up after the last attempt', async () => {
    const box = await mailbox()
    await box.close()
    cleanups.length = 0
    const { mails, problems } = mailsTo(box)

    mails.add(mail)

    await expect.poll(() => problems).toMatchObject([{ tries: 4 }])
  })

  it('is sent before the process stops', async () => {
    const box = await mailbox()
    const { mails } = mailsTo(box)
    for (let copy = 0; copy < 20; copy += 1) mails.add({ ...mail, to: `reader${copy}@example.com` })

    await mails.stop()

    expect(box.mails).toHaveLength(20)
  })

  it('is tried once more when the process stops while it waits for a retry', async () => {
    const box = await mailbox({ rejections: [451] })
    const { mails, failedAttempts } = mailsTo(box, [3600])
    mails.add(mail)
    await expect.poll(() => failedAttempts).toMatchObject([{ event: 'delivery.mail_attempt_failed', tries: 1 }])

    await mails.stop()

    expect(box.mails).toHaveLength(1)
  })
})

describe('the mail server', () => {
  it('is rejected with an untrusted certificate', async () => {
    const box = await mailbox({ offersTls: true })

    const { error, cause } = await attemptMail(settingsFor(box), mail, { log: NO_LOG, tries: 1 })

    expect(error).toBe('mail_failed')
    expect(String(cause)).toMatch(/certificate|self.signed/i)
    expect(box.mails).toEqual([])
  })

  it.each([
    ['gate@example.com', 'PLAIN'],
    ['gate@outlook.com', 'LOGIN'],
  ])('receives the account %s by AUTH %s', async (user, method) => {
    const box = await mailbox({ account: { user, pass: 'mail-secret' } })

    const settings = settingsFor(box, { SMTPAccount: user, SMTPToken: 'mail-secret' })
    await attemptMail(settings, mail, { log: NO_LOG, tries: 1 })

    expect(box.logins).toEqual([{ method, user }])
    expect(box.mails).toHaveLength(1)
  })

  it('is configured with a server and a sender address', () => {
    const port = { port: 25 }

    expect(canMail(settingsFor(port))).toBe(true)
    expect(canMail(settingsFor(port, { SMTPFrom: '', SMTPAccount: 'gate@example.com' }))).toBe(true)
    expect(canMail(settingsFor(port, { SMTPFrom: '' }))).toBe(false)
    expect(canMail(settingsFor(port, { SMTPServer: '' }))).toBe(false)
  })
})
