import { ROLES, scopeOf, type Access, type Endpoint, type RoleName } from '@tidegate/contract'
import { sendRequest, type HttpResponse } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import type { AttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { brief, Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { automationOf, type Account, programOf, sessionOf } from '@tidegate/e2e/scenarios/attacks/support/accounts.ts'
import { pathOf, ROUTES } from '@tidegate/e2e/scenarios/attacks/support/routes.ts'

interface Caller {
  readonly name: string
  /** The role it is accepted as; for others, the error of protected endpoints. */
  readonly standing:
    | { role: RoleName; program?: true; automated?: Account }
    | { rejectedAs: string; automated?: Account }
  headers(): Record<string, string>
  /** The account with the session that the request may have ended. */
  readonly account?: Account
}

/** Sends every kind of caller to every endpoint and compares the result with the declared access. */
export async function checkRoles(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  for (const { name, endpoint } of ROUTES) {
    for (const caller of callersOf(site)) {
      const send = () =>
        sendRequest(site.url, {
          method: endpoint.method,
          path: pathOf(endpoint),
          headers: caller.headers(),
          body: endpoint.method === 'GET' ? undefined : {},
        })
      const expected = expectedOf(endpoint, caller)
      let response = await send()
      if (caller.account && verdictOf(response) !== expected) {
        await caller.account.refresh() // an earlier request may have revoked the credentials of this one
        response = await send()
      }
      const found = verdictOf(response)
      findings.check(
        expected === found,
        () => `${name} by ${caller.name}: ${found} instead of ${expected}: ${response.status} ${brief(response.text)}`,
      )
      findings.check(response.status !== 500, () => `${name} by ${caller.name} failed: ${brief(response.text)}`)
    }
  }
  return findings
}

function callersOf({ user, other, admin, root, disabled }: AttackSite): Caller[] {
  const accounts = { user, 'another user': other, admin, 'super admin': root }
  return [
    { name: 'anonymous', standing: { rejectedAs: 'not_logged_in' }, headers: () => ({}) },
    ...Object.entries(accounts).map(([name, account]) => ({
      name,
      standing: { role: account.role },
      headers: () => sessionOf(account),
      account,
    })),
    { name: 'session of a banned user', standing: { rejectedAs: 'not_logged_in' }, headers: () => sessionOf(disabled) },
    {
      name: 'program of a banned user',
      standing: { rejectedAs: 'access_token_invalid' }, // the ban took the token away
      headers: () => programOf(disabled),
    },
    ...[user, admin].map((account) => ({
      name: `program of ${account.role}`,
      standing: { role: account.role, program: true } as const,
      headers: () => programOf(account),
      account,
    })),
    ...[user, admin, root].map((account) => ({
      name: `automation of ${account.role}`,
      standing: { role: account.role, program: true, automated: account } as const,
      headers: () => automationOf(account),
      account,
    })),
    {
      name: 'automation of a banned user',
      standing: { rejectedAs: 'access_token_invalid' }, // the ban took the token away
      headers: () => automationOf(disabled),
    },
    {
      account: user,
      name: 'API key',
      standing: { rejectedAs: 'access_token_invalid' },
      headers: () => ({ authorization: `Bearer ${user.apiKey}`, 'tidegate-user': String(user.id) }),
    },
  ]
}

function expectedOf(endpoint: Endpoint, { standing }: Caller): string {
  const { access, proof, errors } = endpoint
  if (isOpen(access)) return 'accepted'
  if (standing.automated) {
    const scope = scopeOf(endpoint)
    if (scope === undefined) return 'not_for_tokens'
    if (!standing.automated.automation.scopes.includes(scope)) return 'scope_missing'
  }
  if ('rejectedAs' in standing) return standing.rejectedAs
  if (ROLES[standing.role] < ROLES[access]) return 'forbidden'
  // `manageUser` needs a session for some actions only; `packages/control/src/users/guarded-changes.db.test.ts` tests
  // them.
  const needsSession = proof === true || (errors.includes('session_required') && !errors.includes('only_root_promotes'))
  return standing.program && needsSession ? 'session_required' : 'accepted'
}

function isOpen(access: Access): access is 'public' | 'visitor' {
  return access === 'public' || access === 'visitor'
}

const REJECTIONS = new Set([
  'not_logged_in',
  'access_token_invalid',
  'user_banned',
  'forbidden',
  'session_required',
  'not_for_tokens',
  'scope_missing',
])
const WITH_401 = new Set(['not_logged_in', 'access_token_invalid'])

function verdictOf({ status, code }: HttpResponse): string {
  if (!REJECTIONS.has(code)) return 'accepted'
  return WITH_401.has(code) && status !== 401 ? `${code} under ${status}` : code
}
