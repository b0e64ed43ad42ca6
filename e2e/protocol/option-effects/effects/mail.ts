import { api } from '@tidegate/contract'
import { until } from '../../../scenarios/until.ts'
import type { Rows } from '../effect.ts'
import { MAIL_ACCOUNT, OTHER_LOOPBACK } from '../external-services.ts'
import type { EffectSite } from '../effect-site.ts'
import { newEmail, newAnonymousClient } from '../anonymous-client.ts'

const ARRIVES_MS = 3_000
/** A rejected mail is not retried this soon. */
const REJECTED_MS = 200

/** Requests a code. Returns its mail and the mailbox it arrived in. */
async function mailedCode(site: EffectSite) {
  const { mailbox, otherMailbox } = site.services
  const address = newEmail()
  await newAnonymousClient(site).call(api.requestVerification, { query: { email: address } })
  const found = () =>
    Object.entries({ first: mailbox, second: otherMailbox }).flatMap(([mailbox, { mails }]) =>
      mails.filter(({ to }) => to.includes(address)).map((mail) => ({ place: mailbox, mail })),
    )[0]
  await until(() => found() !== undefined, ARRIVES_MS)
  return found()
}

/** The identity that the site sends to the mail server, and whether its mail is accepted. */
async function login(site: EffectSite): Promise<unknown> {
  const { mailbox } = site.services
  const [logins, mails] = [mailbox.logins.length, mailbox.mails.length]
  await newAnonymousClient(site).call(api.requestVerification, { query: { email: newEmail() } })
  await until(() => mailbox.logins.length > logins, ARRIVES_MS)
  const isTaken = await until(() => mailbox.mails.length > mails, REJECTED_MS)
  return [mailbox.logins[logins]?.user, isTaken]
}

async function firstLine(site: EffectSite): Promise<string> {
  const { greeter } = site.services
  greeter.forget()
  await newAnonymousClient(site).call(api.requestVerification, { query: { email: newEmail() } })
  await until(() => greeter.heard() !== '', ARRIVES_MS)
  return greeter.heard()
}

const placeOfMail = async (site: EffectSite) => (await mailedCode(site))?.place

export const mailEffects = {
  SMTPServer: { value: OTHER_LOOPBACK, probe: placeOfMail, before: 'first', after: 'second' },
  SMTPPort: {
    value: (site) => String(site.services.otherMailbox.port),
    probe: placeOfMail,
    before: 'first',
    after: 'second',
  },
  SMTPAccount: {
    value: 'sender@mail.example',
    probe: login,
    before: [MAIL_ACCOUNT.user, true],
    after: ['sender@mail.example', false],
  },
  SMTPToken: {
    value: 'not-the-password',
    probe: login,
    before: [MAIL_ACCOUNT.user, true],
    after: [MAIL_ACCOUNT.user, false],
  },
  SMTPFrom: {
    value: 'tide@gate.example',
    probe: async (site) => (await mailedCode(site))?.mail.headers['from'],
    before: 'Tidegate <gate@gate.example>',
    after: 'Tidegate <tide@gate.example>',
  },
  SMTPSSLEnabled: {
    given: (site) => ({ SMTPPort: String(site.services.greeter.port) }),
    value: 'true',
    probe: firstLine,
    before: 'EHLO',
    after: 'TLS',
  },
} satisfies Rows
