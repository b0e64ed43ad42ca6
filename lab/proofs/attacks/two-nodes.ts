import { api, type Endpoint } from '@tidegate/contract'
import { sendRequest, newAddress } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import type { AttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { CODE_TRIES, CRITICAL_CALLS, maxGuesses, since } from '@tidegate/e2e/scenarios/attacks/brute-force.ts'
import { PASSWORD, totpOf } from '@tidegate/e2e/scenarios/attacks/support/accounts.ts'

/** Attempts are counted per site and not per process: guessing on two nodes in turn gives no extra attempts. */
export async function guessOnTwoNodes(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const second = await site.startAnother()
  const urls = [site.url, second.url]
  let turn = 0
  const post = (endpoint: Endpoint, body: object, from?: string) =>
    sendRequest(urls[(turn += 1) % 2]!, {
      method: 'POST',
      path: endpoint.path,
      body,
      ...(from !== undefined && { from }),
    })
  try {
    let started = performance.now()
    const logins = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post(api.login, { username: site.other.username, password: `guess-${index}` }),
      ),
    )
    const looked = logins.filter(({ code }) => code === 'login_failed').length
    findings.check(looked > 0, () => 'no guess at a password was checked')
    findings.check(looked <= maxGuesses(since(started)), () => `${looked} guesses at a password were checked`)

    const { secret } = await site.admin.client.call(api.beginTotp)
    await site.admin.client.call(api.enableTotp, { body: { code: totpOf(secret) } })
    started = performance.now()
    let factors = 0
    const first = await post(api.login, { username: site.admin.username, password: PASSWORD })
    const login_ticket = /"ticket":"([^"]+)"/.exec(first.text)?.[1]
    findings.check(login_ticket !== undefined, () => 'no login required a second factor')
    for (let index = 0; index < 12; index += 1) {
      const { code } = await post(api.finishLogin, { login_ticket, code: String(100_000 + index) })
      factors += code === 'second_factor_wrong' ? 1 : 0
    }
    findings.check(factors > 0, () => 'no guess at a second factor was checked')
    findings.check(factors <= maxGuesses(since(started)), () => `${factors} guesses at a second factor were checked`)

    await guessCode(site, findings, post)

    const from = newAddress()
    const resets = []
    for (let index = 0; index < CRITICAL_CALLS + 2; index += 1) {
      resets.push(await post(api.resetPassword, { email: 'reef@reef.example', token: `${index}` }, from))
    }
    const counted = resets.filter(({ status }) => status !== 429).length
    findings.check(counted === CRITICAL_CALLS, () => `${counted} guesses at a link were checked from one address`)
    return findings
  } finally {
    await second.stop()
  }
}

type Post = (endpoint: Endpoint, body: object) => ReturnType<typeof sendRequest>

async function guessCode(site: AttackSite, findings: Findings, post: Post): Promise<void> {
  for (const [key, value] of Object.entries({
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(site.mailbox.port),
    SMTPFrom: 'gate@gate.example',
    EmailVerificationEnabled: 'true',
  })) {
    await site.setOption(key, value)
  }
  const email = 'two-nodes@reef.example'
  await sendRequest(site.url, { path: `${api.requestVerification.path}?email=${email}` })
  const code = /\b\d{6}\b/.exec((await site.mailbox.mailTo(email)).text)![0]
  const register = (verification_code: string) =>
    post(api.register, { username: 'guesser', password: PASSWORD, email, verification_code })
  for (let index = 1; index <= CODE_TRIES; index += 1) {
    const wrong = await register(String((Number(code) + index) % 1_000_000).padStart(6, '0'))
    findings.check(wrong.code === 'code_invalid', () => `a wrong code gets ${wrong.text}`)
  }
  const late = await register(code)
  findings.check(late.code === 'code_invalid', () => `a mailed code works after ${CODE_TRIES} wrong ones: ${late.text}`)
  await site.setOption('EmailVerificationEnabled', 'false')
}
