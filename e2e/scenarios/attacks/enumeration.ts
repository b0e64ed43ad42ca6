import { api } from '@tidegate/contract'
import { sendRequest, type HttpResponse } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { Findings } from './support/findings.ts'
import { PASSWORD } from './support/accounts.ts'

/** No response may reveal whether an account or an email address exists, neither by its text nor by its status. */
export async function enumerateAccounts(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const login = (username: string, password: string) =>
    sendRequest(site.url, { method: 'POST', path: api.login.path, body: { username, password } })
  const logins = {
    'an unknown name': await login('no-such-user', 'wrong-password'),
    'a wrong password': await login(site.peer.username, 'wrong-password'),
    'a banned user with the right one': await login(site.disabled.username, PASSWORD),
    'a banned user with a wrong one': await login(site.disabled.username, 'wrong-password'),
  }
  compare(findings, 'a login', logins)
  for (const [key, value] of Object.entries({
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(site.mailbox.port),
    SMTPFrom: 'gate@gate.example',
  })) {
    await site.setOption(key, value)
  }
  await setEmail(site, 'known@reef.example')
  const bothWays = async (path: string) => ({
    known: await sendRequest(site.url, { path: `${path}?email=known@reef.example` }),
    unknown: await sendRequest(site.url, { path: `${path}?email=unknown@reef.example` }),
  })
  compare(findings, 'a reset', await bothWays(api.requestPasswordReset.path))
  compare(findings, 'a verification', await bothWays(api.requestVerification.path))
  const reset = (email: string) =>
    sendRequest(site.url, { method: 'POST', path: api.resetPassword.path, body: { email, token: 'x'.repeat(32) } })
  compare(findings, 'a guessed link', {
    known: await reset('known@reef.example'),
    unknown: await reset('unknown@reef.example'),
  })
  return findings
}

function compare(findings: Findings, what: string, responses: Readonly<Record<string, HttpResponse>>): void {
  const [first, ...rest] = Object.entries(responses)
  for (const [name, { status, text }] of rest) {
    const same = status === first![1].status && text === first![1].text
    findings.check(same, () => `${what} for ${name} differs from ${first![0]}: ${text} and ${first![1].text}`)
  }
}

/** Stores the address as if its owner had bound it. */
async function setEmail({ database, peer }: AttackSite, email: string): Promise<void> {
  await database.db.updateTable('user').set({ email }).where('id', '=', peer.id).execute()
}
