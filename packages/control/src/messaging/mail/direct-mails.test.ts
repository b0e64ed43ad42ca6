import { readSettings } from '@tidegate/contract'
import { startMailbox, type Mailbox, type MailboxOptions } from '@tidegate/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createMailQueue } from './direct-mails.ts'
import { canMail, sendMail } from './mail.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const mail = { to: 'reader@example.com', subject: '潮汐 notice', text: '你好', html: '<p>你好</p>' }

async function mailbox(options?: MailboxOptions): Promise<Mailbox> {
  const box = await startMailbox(options)
  cleanups.push(() => box.close())
  return box
}

function settingsFor({ port }: { port: number }, overrides: Record<string, string> = {}) {
  const stored = { SMTPServer: '127.0.0.1', SMTPPort: String(port), SMTPFrom: 'gate@example.com', ...overrides }
  return readSettings(new Map(Object.entries(stored)))
}

function queueTo(box: { port: number }, waitsMs = [1, 1, 1]) {
  const problems: object[] = []
  const log = { info: () => {}, warn: () => {}, error: (details: object) => void problems.push(details) }
  const catalog = () => ({ settings: settingsFor(box) }) as never
  const queue = createMailQueue({ catalog, log }, { waitsMs, stopTimeoutMs: 30_000 })
  cleanups.push(() => queue.stop())
  return { queue, problems }
}

describe('the mail queue', () => {
  it('delivers a mail as text and HTML in any language', async () => {
    const box = await mailbox()

    queueTo(box).queue.add(mail)

    expect(await box.mailTo(mail.to)).toMatchObject({
      to: [mail.to],
      subject: mail.subject,
      text: '你好',
      html: mail.html,
    })
  })

  it('retries temporary errors', async () => {
    const box = await mailbox({ refusals: [451, 451] })

    queueTo(box).queue.add(mail)

    await box.mailTo(mail.to)
    expect(box.attempts()).toBe(3)
  })

  it('gives up on permanent errors and logs them without the mail', async () => {
    const box = await mailbox({ refusals: [554] })
    const { queue, problems } = queueTo(box)

    queue.add(mail)

    await expect.poll(() => problems).toMatchObject([{ subject: mail.subject, tries: 1 }])
    expect(box.attempts()).toBe(1)
    expect(Object.keys(problems[0]!)).not.toContain('text')
  })

  it('gives up after the last attempt', async () => {
    const box = await mailbox()
    await box.close()
    cleanups.length = 0
    const { queue, problems } = queueTo(box)

    queue.add(mail)

    await expect.poll(() => problems).toMatchObject([{ tries: 4 }])
  })

  it('sends waiting mails before it stops', async () => {
    const box = await mailbox()
    const { queue } = queueTo(box)
    for (let copy = 0; copy < 20; copy += 1) queue.add({ ...mail, to: `reader${copy}@example.com` })

    await queue.stop()

    expect(box.mails).toHaveLength(20)
  })
})

describe('the mail server', () => {
  it('is rejected with an untrusted certificate', async () => {
    const box = await mailbox({ offersTls: true })

    await expect(sendMail(settingsFor(box), mail)).rejects.toThrow(/certificate|self.signed/i)
    expect(box.mails).toEqual([])
  })

  it.each([
    ['gate@example.com', 'PLAIN'],
    ['gate@outlook.com', 'LOGIN'],
  ])('receives the account %s by AUTH %s', async (user, method) => {
    const box = await mailbox({ account: { user, pass: 'mail-secret' } })

    await sendMail(settingsFor(box, { SMTPAccount: user, SMTPToken: 'mail-secret' }), mail)

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
