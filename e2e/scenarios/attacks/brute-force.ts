import { api, type Endpoint } from '@tidegate/contract'
import { sendRequest, newAddress, type HttpResponse } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { Findings } from './support/findings.ts'
import { PASSWORD, sessionOf, totpOf } from './support/accounts.ts'
import { ROUTES } from './support/routes.ts'

/** The documented limits: this many free wrong guesses, then a growing wait. */
const FREE_GUESSES = 5
/** The fifth guess costs one second and each further guess twice as long. Returns how many guesses fit in the time. */
export const maxGuesses = (milliseconds: number) => FREE_GUESSES + Math.floor(Math.log2(milliseconds / 1000 + 1))
export const CODE_TRIES = 5
const RESET_TRIES = 20
const ADDRESS_GUESSES = 60
export const CRITICAL_CALLS = 20
const DELAYED = new Set(['login_delayed', 'redemption_delayed', 'rate_limited'])

/** Guesses passwords, mailed codes, second factors and redemption codes. Each is limited, per address and in total. */
export async function guessSecrets(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  await guessPassword(site, findings)
  await guessFromOneAddress(site, findings)
  await guessMailedCodes(site, findings)
  await guessSecondFactor(site, findings)
  await guessRedemptions(site, findings)
  await hammerCritical(site, findings)
  return findings
}

function post(site: AttackSite, endpoint: Endpoint, body: object, from?: string, headers = {}): Promise<HttpResponse> {
  return sendRequest(site.url, {
    method: 'POST',
    path: endpoint.path,
    body,
    headers,
    ...(from !== undefined && { from }),
  })
}

/** Every guess uses another address, first one by one, then concurrently. */
async function guessPassword(site: AttackSite, findings: Findings): Promise<void> {
  const tries = (username: string, count: number) =>
    Array.from({ length: count }, (_, index) => () => post(site, api.login, { username, password: `guess-${index}` }))
  let through = 0
  let started = performance.now()
  for (const attempt of tries(site.user.username, 12)) through += (await attempt()).code === 'login_failed' ? 1 : 0
  findings.check(through <= maxGuesses(since(started)), () => `${through} guesses at one password were checked`)
  started = performance.now()
  const concurrency = await Promise.all(tries(site.other.username, 40).map((attempt) => attempt()))
  const looked = concurrency.filter(({ code }) => code === 'login_failed').length
  findings.check(looked <= maxGuesses(since(started)), () => `${looked} concurrent guesses were checked`)
  const delayed = concurrency.find(({ code }) => code === 'login_delayed')
  findings.check(delayed?.headers['retry-after'] !== undefined, () => 'the response does not say how long to wait')
}

/** Tries one password on many accounts. */
async function guessFromOneAddress(site: AttackSite, findings: Findings): Promise<void> {
  const from = newAddress()
  let looked = 0
  for (let index = 0; index < ADDRESS_GUESSES + 20; index += 1) {
    const { code } = await post(site, api.login, { username: `sailor${index}`, password: PASSWORD }, from)
    looked += code === 'login_failed' ? 1 : 0
  }
  findings.check(looked <= ADDRESS_GUESSES, () => `${looked} accounts were tried from one address`)
}

async function guessMailedCodes(site: AttackSite, findings: Findings): Promise<void> {
  for (const [key, value] of Object.entries({
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(site.mailbox.port),
    SMTPFrom: 'gate@gate.example',
    EmailVerificationEnabled: 'true',
    // Other attacks on the same site may have closed the registration.
    RegisterEnabled: 'true',
    PasswordRegisterEnabled: 'true',
    SelfUseModeEnabled: 'false',
  })) {
    await site.setOption(key, value)
  }
  const email = 'guessed@reef.example'
  await sendRequest(site.url, { path: `${api.requestVerification.path}?email=${email}` })
  const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]
  const register = (verification_code: string) =>
    post(site, api.register, { username: 'guesser', password: PASSWORD, email, verification_code })
  const others = Array.from({ length: CODE_TRIES }, (_, index) =>
    String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
  )
  await Promise.all(others.map(register))
  const late = await register(code)
  findings.check(late.code === 'code_invalid', () => `a mailed code works after ${CODE_TRIES} wrong ones: ${late.text}`)

  for (let index = 0; index < RESET_TRIES; index += 1) {
    const response = await post(site, api.resetPassword, { email, token: `${index}`.padStart(32, '0') })
    findings.check(response.code === 'reset_link_invalid', () => `a guessed link gets ${response.text}`)
  }
  await site.setOption('EmailVerificationEnabled', 'false')
}

/** The password is known, the TOTP code is not. */
async function guessSecondFactor(site: AttackSite, findings: Findings): Promise<void> {
  const { admin } = site
  const { secret } = await admin.client.call(api.beginTotp)
  await admin.client.call(api.enableTotp, { body: { code: totpOf(secret) } })
  const tickets: string[] = []
  const started = performance.now()
  let looked = 0
  for (let round = 0; round < 4; round += 1) {
    const first = await post(site, api.login, { username: admin.username, password: PASSWORD })
    const ticket = /"ticket":"([^"]+)"/.exec(first.text)?.[1]
    if (ticket === undefined) continue
    tickets.push(ticket)
    for (let index = 0; index < 8; index += 1) {
      const { code } = await post(site, api.finishLogin, { login_ticket: ticket, code: String(100_000 + index) })
      looked += code === 'second_factor_wrong' ? 1 : 0
    }
  }
  findings.check(tickets.length > 0, () => 'no login required a second factor')
  findings.check(looked <= maxGuesses(since(started)), () => `${looked} guesses at a second factor were checked`)
}

async function guessRedemptions(site: AttackSite, findings: Findings): Promise<void> {
  const { peer } = site
  const guesses = Array.from(
    { length: 40 },
    (_, index) => () => post(site, api.redeem, { key: `${index}`.padStart(32, 'a') }, undefined, sessionOf(peer)),
  )
  const started = performance.now()
  const responses = await Promise.all(guesses.map((attempt) => attempt()))
  const looked = responses.filter(({ code }) => code === 'redemption_invalid').length
  findings.check(looked <= maxGuesses(since(started)), () => `${looked} guesses at a code were checked`)
  findings.check(
    responses.some(({ code }) => DELAYED.has(code)),
    () => 'guessing codes never had to wait',
  )
}

/** Every critical endpoint has a budget per address, which a forged header does not renew. */
async function hammerCritical(site: AttackSite, findings: Findings): Promise<void> {
  for (const { name, endpoint } of ROUTES.filter((route) => route.endpoint.critical)) {
    const from = newAddress()
    const responses: HttpResponse[] = []
    for (let index = 0; index < CRITICAL_CALLS + 2; index += 1) {
      responses.push(
        await sendRequest(site.url, {
          method: endpoint.method,
          path: endpoint.path,
          from,
          body: endpoint.method === 'GET' ? undefined : {},
        }),
      )
    }
    const last = responses.at(-1)!
    findings.check(last.status === 429, () => `${name} gets ${last.status} after ${CRITICAL_CALLS} calls`)
  }
}

export function since(started: number): number {
  return performance.now() - started
}
