import { createHmac } from 'node:crypto'
import { api, type RoleName } from '@tidegate/contract'
import { addToken, apiClient, type ApiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sendRequest } from './send-request.ts'

export const PASSWORD = 'spring-tide-42'

/** An account with every kind of credential. */
export interface Account {
  readonly username: string
  readonly role: RoleName
  readonly client: ApiClient
  id: number
  /** The cookie alone, as the browser sends it. */
  cookie: string
  accessToken: string
  /** With every scope that the role can get. */
  automation: { token: string; scopes: readonly string[] }
  /** For the data plane only. */
  apiKey: string
  /** Renews credentials that an attack has used up: some endpoints revoke what they are called with. */
  refresh(): Promise<void>
}

/** The headers that the console sends with a session. */
export function sessionOf({ cookie, id }: Pick<Account, 'cookie' | 'id'>): Record<string, string> {
  return { cookie, 'tidegate-user': String(id) }
}

export function programOf({ accessToken, id }: Pick<Account, 'accessToken' | 'id'>): Record<string, string> {
  return { authorization: `Bearer ${accessToken}`, 'tidegate-user': String(id) }
}

export function automationOf({ automation }: Pick<Account, 'automation'>): Record<string, string> {
  return { authorization: `Bearer ${automation.token}` }
}

/** Creates an account with all credentials. */
export async function addAccount(url: string, username: string, role: 'user' | 'admin' = 'user'): Promise<Account> {
  const root = await superAdmin(url)
  await root.call(api.createUser, { body: { username, password: PASSWORD } })
  const account = accountOf(url, { username, password: PASSWORD }, role)
  await account.refresh()
  if (role === 'admin') {
    await root.call(api.manageUser, { body: { id: account.id, action: 'promote' } })
    await account.refresh() // changing the role revokes all access
  }
  return account
}

export async function superAdminOf(url: string): Promise<Account> {
  const account = accountOf(url, SUPER_ADMIN, 'root')
  await account.refresh()
  return account
}

interface Credentials {
  username: string
  password: string
}

function accountOf(url: string, credentials: Credentials, role: RoleName): Account {
  const client = apiClient(url)
  const account: Account = {
    username: credentials.username,
    role,
    client,
    id: 0,
    cookie: '',
    accessToken: '',
    automation: { token: '', scopes: [] },
    apiKey: '',
    async refresh() {
      if (!(await isAccepted(url, sessionOf(account)))) {
        const opened = (await logIn(url, credentials)) ?? (await restore(url, account), await logIn(url, credentials))
        if (opened === undefined) throw new Error(`${account.username} cannot log in`)
        Object.assign(account, opened)
        await client.login(credentials.username, credentials.password)
      }
      if (!(await isAccepted(url, programOf(account)))) {
        await client.login(credentials.username, credentials.password) // a long attack outlives the re-authentication of the last login
        account.accessToken = await client.call(api.createAccessToken)
      }
      if (!(await isAccepted(url, automationOf(account)))) account.automation = await newAutomation(client)
      if (!(await canUseDataPlane(url, account.apiKey))) account.apiKey = (await addToken(client)).secret
    },
  }
  return account
}

async function newAutomation(client: ApiClient): Promise<Account['automation']> {
  const scopes = (await client.call(api.listAutomationTokens)).scopes.map(({ scope }) => scope)
  return { token: (await client.call(api.createAutomationToken, { body: { name: 'robot', scopes } })).token, scopes }
}

/** Restores an account that deregistered itself. */
async function restore(url: string, { id }: Account): Promise<void> {
  await (await superAdmin(url)).call(api.manageUser, { body: { id, action: 'restore' } })
}

async function superAdmin(url: string): Promise<ApiClient> {
  const client = apiClient(url)
  await client.login(SUPER_ADMIN.username, SUPER_ADMIN.password)
  return client
}

async function isAccepted(url: string, headers: Record<string, string>): Promise<boolean> {
  const { status } = await sendRequest(url, { path: api.getSelf.path, headers })
  return status === 200
}

async function canUseDataPlane(url: string, apiKey: string): Promise<boolean> {
  const { status } = await sendRequest(url, { path: '/v1/models', headers: { authorization: `Bearer ${apiKey}` } })
  return status === 200
}

async function logIn(url: string, body: Credentials): Promise<{ cookie: string; id: number } | undefined> {
  const response = await sendRequest(url, { method: 'POST', path: api.login.path, body })
  const { data } = JSON.parse(response.text) as { data?: { id: number } }
  const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  return data && { cookie, id: data.id }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The current code of an authenticator app. Implemented apart from the product. */
export function totpOf(secret: string, now = Date.now()): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
