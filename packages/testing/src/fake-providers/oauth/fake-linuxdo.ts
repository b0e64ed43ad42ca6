import {
  authorizations,
  type FakeService,
  type ServiceResponse,
  type ServiceRequest,
  startJsonServer,
} from './json-server.ts'

export interface LinuxDoAccount {
  id: number
  username: string
  name: string
  active: boolean
  trust_level: number
  silenced: boolean
}

export interface FakeLinuxDo extends FakeService {
  /** Sets the account that signs in next. */
  be(account: LinuxDoAccount): void
  declineLogins(now: boolean): void
}

/** Sign-in of the LinuxDO forum: clients authenticate with HTTP Basic only. */
export async function startFakeLinuxDo(client: { id: string; secret: string }): Promise<FakeLinuxDo> {
  const front = authorizations<LinuxDoAccount>(client.id)
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  let current: LinuxDoAccount = {
    id: 1,
    username: 'nobody',
    name: '',
    active: true,
    trust_level: 0,
    silenced: false,
  }

  const routes: Record<string, (call: ServiceRequest) => ServiceResponse> = {
    'GET /oauth2/authorize': (call) =>
      call.query['response_type'] === 'code' ? front.authorize(call, current) : { status: 400 },
    'POST /oauth2/token'(call) {
      const form = Object.fromEntries(new URLSearchParams(call.body))
      if (call.headers.authorization !== basic) return { status: 401, json: { error: 'invalid_client' } }
      const token = form['grant_type'] === 'authorization_code' ? front.exchange(form) : undefined
      if (token === undefined) return { status: 400, json: { error: 'invalid_grant' } }
      return { json: { access_token: token, token_type: 'bearer', expires_in: 3600 } }
    },
    'GET /api/user'(call) {
      const account = front.bearerOf(call)
      return account ? { json: account } : { status: 401, json: { error: 'invalid_token' } }
    },
  }
  const server = await startJsonServer(
    (call) => routes[`${call.method} ${call.path}`]?.(call) ?? { status: 404, json: { error: 'not found' } },
  )
  return {
    ...server,
    be(account) {
      current = account
    },
    declineLogins: front.declineLogins,
  }
}
