import { randomBytes } from 'node:crypto'
import { api } from '@tidegate/contract'
import { sendRequest, type HttpResponse } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import type { AttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'

/** The accepted ratio of two medians: a busy machine alone causes a factor of 1.5. */
const MAX_DIFFERENCE = 1.5
/** Smaller differences cannot be measured across a network. */
const TOO_SMALL_MS = 2

type Question = (index: number) => Promise<HttpResponse>

/**
 * Response times must not reveal whether an account, an address or a key exists. Both kinds alternate, so that other
 * load slows both.
 */
export async function timeResponses(site: AttackSite, { pairs }: { pairs: number }): Promise<Findings> {
  const findings = new Findings()
  await mailFrom(site)
  await addSailors(site, pairs)
  const post = (path: string, body: object) => sendRequest(site.url, { method: 'POST', path, body })
  const login = (username: string) => post(api.login.path, { username, password: 'wrong-password' })
  const mail = (path: string, address: string) =>
    sendRequest(site.url, { path: `${path}?email=${address}@reef.example` })
  const guessLink = (address: string) =>
    post(api.resetPassword.path, { email: `${address}@reef.example`, token: randomBytes(16).toString('hex') })
  const send = (key: string) =>
    sendRequest(site.url, { path: '/v1/models', headers: { authorization: `Bearer ${key}` } })
  const { apiKey } = site.user
  /** Wrong only at its end, and different each time: a key that is known to be wrong need not be looked up. */
  const similarKey = () => apiKey.slice(0, -8) + randomBytes(4).toString('hex')
  const randomKey = () =>
    `sk-${randomBytes(apiKey.length)
      .toString('hex')
      .slice(0, apiKey.length - 3)}`

  const requests: Record<string, { known: Question; unknown: Question }> = {
    'a login': { known: (index) => login(`sailor${index}`), unknown: (index) => login(`unknown${index}`) },
    'a request for a link': {
      known: (index) => mail(api.requestPasswordReset.path, `sailor${index}`),
      unknown: (index) => mail(api.requestPasswordReset.path, `unknown${index}`),
    },
    'a request for a code': {
      known: (index) => mail(api.requestVerification.path, `sailor${index}`),
      unknown: (index) => mail(api.requestVerification.path, `unknown${index}`),
    },
    'a guessed link': {
      known: (index) => guessLink(`sailor${index}`),
      unknown: (index) => guessLink(`unknown${index}`),
    },
    'a key': { known: () => send(similarKey()), unknown: () => send(randomKey()) },
  }
  for (const [name, { known, unknown }] of Object.entries(requests)) {
    const times = { known: [] as number[], unknown: [] as number[] }
    const seen = new Set<string>()
    for (let index = 0; index < pairs; index += 1) {
      // The second request finds the machine warm, so the order alternates.
      const order = [['known', known] as const, ['unknown', unknown] as const]
      for (const [kind, request] of index % 2 === 0 ? order : order.toReversed()) {
        const { milliseconds, status, code } = await request(index)
        times[kind].push(milliseconds)
        seen.add(`${status} ${code}`)
      }
    }
    findings.check(seen.size === 1, () => `${name} has different responses: ${[...seen].join(', ')}`)
    const [one, other] = [medianOf(times.known), medianOf(times.unknown)]
    const apart = Math.max(one, other) / Math.min(one, other)
    const summary = `${one.toFixed(1)} ms for what is known, ${other.toFixed(1)} ms for what is not`
    findings.check(apart < MAX_DIFFERENCE || Math.abs(one - other) < TOO_SMALL_MS, () => `${name} takes ${summary}`)
    findings.notes.push(`${name}: median of ${pairs} is ${summary}`)
  }
  return findings
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}

async function mailFrom(site: AttackSite): Promise<void> {
  await site.setOption('ServerAddress', 'https://gate.example')
  await site.setOption('SMTPServer', '127.0.0.1')
  await site.setOption('SMTPPort', String(site.mailbox.port))
  await site.setOption('SMTPFrom', 'gate@gate.example')
}

/** As many accounts as attempts: repeated attempts on one account are delayed. */
async function addSailors({ database, user }: AttackSite, count: number): Promise<void> {
  const { db } = database
  const { password_hash } = await db
    .selectFrom('user')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const sailors = Array.from({ length: count }, (_, index) => ({
    username: `sailor${index}`,
    password_hash,
    display_name: `sailor${index}`,
    email: `sailor${index}@reef.example`,
    aff_code: `sail${index}`,
    setting: '{}',
  }))
  await db.insertInto('user').values(sailors).execute()
}
