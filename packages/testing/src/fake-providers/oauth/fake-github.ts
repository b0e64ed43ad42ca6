import {
  authorizations,
  type FakeService,
  type ServiceResponse,
  type ServiceRequest,
  startJsonServer,
} from './json-server.ts'

export interface GitHubAccount {
  id: number
  login: string
  name: string | null
  created_at?: string
  emails: { email: string; primary: boolean; verified: boolean }[]
}

export interface FakeGitHub extends FakeService {
  /** URL of its REST API; `url` is for sign-in. */
  readonly apiUrl: string
  /** Sets the account that signs in next. */
  be(account: GitHubAccount): void
  declineLogins(now: boolean): void
}

/** The parts of GitHub that sign-in uses: authorization without a page, code exchange, profile, email addresses. */
export async function startFakeGitHub(client: { id: string; secret: string }): Promise<FakeGitHub> {
  const front = authorizations<GitHubAccount>(client.id)
  let current: GitHubAccount = { id: 1, login: 'nobody', name: null, emails: [] }

  const routes: Record<string, (call: ServiceRequest) => ServiceResponse> = {
    'GET /login/oauth/authorize': (call) => front.authorize(call, current),
    'POST /login/oauth/access_token'(call) {
      const form = JSON.parse(call.body) as Record<string, string>
      const isClient = form['client_id'] === client.id && form['client_secret'] === client.secret
      const wantsJson = call.headers.accept === 'application/json'
      const token = isClient && wantsJson ? front.exchange(form) : undefined
      // GitHub sends this error with status 200.
      if (token === undefined) return { json: { error: 'bad_verification_code', error_description: 'secret reason' } }
      return { json: { access_token: token, token_type: 'bearer', scope: 'user:email' } }
    },
    'GET /api/user': (call) =>
      asAccount(call, ({ id, login, name, created_at = '2011-01-25T18:44:36Z' }) => ({
        id,
        login,
        name,
        created_at,
        type: 'User',
      })),
    'GET /api/user/emails': (call) => asAccount(call, ({ emails }) => emails),
  }

  function asAccount(call: ServiceRequest, view: (account: GitHubAccount) => unknown): ServiceResponse {
    const account = front.bearerOf(call)
    if (!account) return { status: 401, json: { message: 'Bad credentials' } }
    if (!call.headers['user-agent'])
      return { status: 403, json: { message: 'Request forbidden by administrative rules' } }
    return { json: view(account) }
  }

  const server = await startJsonServer(
    (call) => routes[`${call.method} ${call.path}`]?.(call) ?? { status: 404, json: { message: 'Not Found' } },
  )
  return {
    ...server,
    apiUrl: `${server.url}/api`,
    be(account) {
      current = account
    },
    declineLogins: front.declineLogins,
  }
}
