import { ROLES, scopeOf, type Access, type Endpoint, type RoleName } from '@tidegate/contract'
import { ask, type Answer } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import type { AttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { brief, Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { automationOf, type Person, programOf, sessionOf } from '@tidegate/e2e/scenarios/attacks/support/accounts.ts'
import { pathOf, ROUTES } from '@tidegate/e2e/scenarios/attacks/support/routes.ts'

interface Caller {
  readonly name: string
  /** What it is let in as; for others, the refusal that protected calls give it. */
  readonly standing: { role: RoleName; program?: true; automated?: Person } | { refusedAs: string; automated?: Person }
  headers(): Record<string, string>
  /** Whose session the call may have ended. */
  readonly person?: Person
}

/** Every kind of caller at every call of the contract, each with the verdict that its declared access asks for. */
export async function judgeRoles(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  for (const { name, endpoint } of ROUTES) {
    for (const caller of callersOf(site)) {
      const knock = () =>
        ask(site.url, {
          method: endpoint.method,
          path: pathOf(endpoint),
          headers: caller.headers(),
          body: endpoint.method === 'GET' ? undefined : {},
        })
      const expected = expectedOf(endpoint, caller)
      let answer = await knock()
      if (caller.person && verdictOf(answer) !== expected) {
        await caller.person.refresh() // an earlier call may have ended what this one was made with
        answer = await knock()
      }
      const found = verdictOf(answer)
      findings.check(
        expected === found,
        () => `${name} by ${caller.name}: ${found} instead of ${expected}: ${answer.status} ${brief(answer.text)}`,
      )
      findings.check(answer.status !== 500, () => `${name} by ${caller.name} failed: ${brief(answer.text)}`)
    }
  }
  return findings
}

function callersOf({ user, other, admin, root, disabled }: AttackSite): Caller[] {
  const people = { user, 'another user': other, admin, 'super admin': root }
  return [
    { name: 'visitor', standing: { refusedAs: 'not_logged_in' }, headers: () => ({}) },
    ...Object.entries(people).map(([name, person]) => ({
      name,
      standing: { role: person.role },
      headers: () => sessionOf(person),
      person,
    })),
    { name: 'session of a banned user', standing: { refusedAs: 'not_logged_in' }, headers: () => sessionOf(disabled) },
    {
      name: 'program of a banned user',
      standing: { refusedAs: 'access_token_invalid' }, // the ban took the token away
      headers: () => programOf(disabled),
    },
    ...[user, admin].map((person) => ({
      name: `program of ${person.role}`,
      standing: { role: person.role, program: true } as const,
      headers: () => programOf(person),
      person,
    })),
    ...[user, admin, root].map((person) => ({
      name: `automation of ${person.role}`,
      standing: { role: person.role, program: true, automated: person } as const,
      headers: () => automationOf(person),
      person,
    })),
    {
      name: 'automation of a banned user',
      standing: { refusedAs: 'access_token_invalid' }, // the ban took the token away
      headers: () => automationOf(disabled),
    },
    {
      person: user,
      name: 'API key',
      standing: { refusedAs: 'access_token_invalid' },
      headers: () => ({ authorization: `Bearer ${user.apiKey}`, 'tidegate-user': String(user.id) }),
    },
  ]
}

function expectedOf(endpoint: Endpoint, { standing }: Caller): string {
  const { access, proof, errors } = endpoint
  if (isOpen(access)) return 'let in'
  if (standing.automated) {
    const scope = scopeOf(endpoint)
    if (scope === undefined) return 'not_for_tokens'
    if (!standing.automated.automation.scopes.includes(scope)) return 'scope_missing'
  }
  if ('refusedAs' in standing) return standing.refusedAs
  if (ROLES[standing.role] < ROLES[access]) return 'forbidden'
  // `manageUser` needs a session for some actions only; `packages/control/src/users/guarded-changes.db.test.ts` tries them.
  const needsSession = proof === true || (errors.includes('session_required') && !errors.includes('only_root_promotes'))
  return standing.program && needsSession ? 'session_required' : 'let in'
}

function isOpen(access: Access): access is 'public' | 'visitor' {
  return access === 'public' || access === 'visitor'
}

const REFUSALS = new Set([
  'not_logged_in',
  'access_token_invalid',
  'user_banned',
  'forbidden',
  'session_required',
  'not_for_tokens',
  'scope_missing',
])
const WITH_401 = new Set(['not_logged_in', 'access_token_invalid'])

function verdictOf({ status, code }: Answer): string {
  if (!REFUSALS.has(code)) return 'let in'
  return WITH_401.has(code) && status !== 401 ? `${code} under ${status}` : code
}
