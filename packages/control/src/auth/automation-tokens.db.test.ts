import { api, ENDPOINTS, needsLogin, SCOPES, scopeOf } from '@tidegate/contract'
import { apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { clientWithToken, createAutomationClient } from '../../test/automation-client.ts'

let site: TestSite
let root: ApiClient & { username: string }
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const ALL = SCOPES.map(({ scope }) => scope)
const aUser = () => ({ username: `a${Math.random().toString(36).slice(2, 10)}`, password: 'spring-tide-42' })
const codeOf = ({ envelope }: Awaited<ReturnType<ApiClient['send']>>) => ('code' in envelope ? envelope.code : '')

describe('an automation token', () => {
  it('is shown once and stored as a hash', async () => {
    const owner = await site.signedIn('user')
    const { token, id } = await createAutomationClient(owner, ['tokens:read'])

    const { items } = await owner.call(api.listAutomationTokens)
    const stored = await site.db.selectFrom('automation_token').selectAll().where('id', '=', id).execute()

    expect(token).toMatch(/^tgc_[A-Za-z0-9]{46}$/)
    expect(items).toMatchObject([{ id, name: 'robot', last_four: token.slice(-4), scopes: ['tokens:read'] }])
    expect(JSON.stringify([items, stored])).not.toContain(token)
  })

  it('needs no user id header and rejects the id of another user', async () => {
    const owner = await site.signedIn('user')
    const robot = await createAutomationClient(owner, ['account:read'])

    expect(await robot.call(api.getSelf)).toMatchObject({ id: owner.userId })
    expect(codeOf(await robot.send(api.getSelf, { headers: { 'tidegate-user': '999999' } }))).toBe(
      'user_id_header_mismatch',
    )
    const [{ last_used_at }] = (await owner.call(api.listAutomationTokens)).items as [api.AutomationToken]
    expect(last_used_at).not.toBeNull()
  })

  it('is limited to its scopes; the error names the missing one', async () => {
    const robot = await createAutomationClient(root, ['users:read', 'channels:write'])

    await robot.call(api.listUsers)
    const rejected = await robot.send(api.createUser, { body: aUser(), headers: { 'accept-language': 'en' } })

    expect(rejected.response.status).toBe(403)
    expect(rejected.envelope).toMatchObject({
      code: 'scope_missing',
      message: 'The automation token lacks this scope: users:write',
    })
  })

  it('is named in audit events, also of balance changes', async () => {
    const robot = await createAutomationClient(root, ['users:write'], { name: 'payroll' })

    const user = await robot.call(api.createUser, { body: aUser() })
    await robot.call(api.updateUser, { body: { id: user.id, username: user.username, quota: 7000 } })

    const { items } = await root.call(api.listAuditEvents, { query: { subject: user.id, action: 'user' } })
    expect(items.map(({ action, actor_id, token }) => [action, actor_id, token])).toEqual([
      ['user.balance', root.userId, 'payroll'],
      ['user.create', root.userId, 'payroll'],
    ])
  })

  it('ends with its expiry, its owner or its revocation', async () => {
    const owner = await site.signedIn('admin')
    const [expired, revoked, left] = await Promise.all(
      [1, 2, 3].map(() => createAutomationClient(owner, ['users:read'])),
    )
    await site.db
      .updateTable('automation_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expired!.id)
      .execute()
    await owner.call(api.revokeAutomationToken, { path: { id: revoked!.id } })

    expect(codeOf(await expired!.send(api.listUsers))).toBe('automation_token_expired')
    expect(codeOf(await revoked!.send(api.listUsers))).toBe('access_token_invalid')
    await left!.call(api.listUsers)
    await root.call(api.manageUser, { body: { id: owner.userId!, action: 'disable' } })
    expect(codeOf(await left!.send(api.listUsers))).toBe('access_token_invalid')
  })

  it('works only from its allowed addresses', async () => {
    const near = await createAutomationClient(root, ['users:read'], { allow_ips: '10.0.0.0/8\n127.0.0.1' })
    const far = await createAutomationClient(root, ['users:read'], { allow_ips: '10.0.0.0/8' })

    await near.call(api.listUsers)
    const { response, envelope } = await far.send(api.listUsers)
    expect(response.status).toBe(403)
    expect(envelope).toMatchObject({ code: 'automation_token_address' })
  })

  it('is rejected with scopes above the role, without scopes or with invalid fields', async () => {
    const owner = await site.signedIn('user')
    const make = async (fields: object) =>
      codeOf(await owner.send(api.createAutomationToken, { body: { name: 'x', scopes: ['tokens:read'], ...fields } }))

    expect(await make({ scopes: ['users:read'] })).toBe('scope_unknown')
    expect(await make({ scopes: ['everything'] })).toBe('scope_unknown')
    expect(await make({ scopes: [] })).toBe('scopes_required')
    expect(await make({ name: ' ' })).toBe('token_name_invalid')
    expect(await make({ expired_time: 5 })).toBe('token_expiry_invalid')
    expect(await make({ allow_ips: 'here' })).toBe('token_address_invalid')
    const { scopes } = await owner.call(api.listAutomationTokens)
    expect(scopes.map(({ scope }) => scope)).toContain('tokens:write')
    expect(scopes.map(({ scope }) => scope)).not.toContain('users:read')
  })

  it('hides token secrets from read-only programs', async () => {
    const owner = await site.signedIn('user')
    const [made] = await owner.call(api.createToken, { body: { name: 'spender' } })
    const reader = await createAutomationClient(owner, ['tokens:read'])
    const writer = await createAutomationClient(owner, ['tokens:read', 'tokens:write'])

    const [seen] = await reader.call(api.listTokens)
    expect(seen!.key).toMatch(/^tg_a0_\w{3}…\w{3}$/)
    expect((await reader.call(api.getToken, { path: { id: made!.id } })).key).toBe(seen!.key)
    expect((await writer.call(api.listTokens))[0]!.key).toBe(made!.key)
  })
})

describe('an automation token with all scopes', () => {
  const closed = ENDPOINTS.filter(({ endpoint }) => needsLogin(endpoint) && scopeOf(endpoint) === undefined)

  it.each(closed.map(({ name, endpoint }) => [name, endpoint] as const))('is rejected by %s', async (_, endpoint) => {
    const robot = await everything()

    const body = endpoint.method === 'GET' ? undefined : {}
    const { response, envelope } = await robot.send(endpoint, { path: { id: 1, hash: 'a1' }, body })

    expect(envelope).toMatchObject({ success: false, code: 'not_for_tokens' })
    expect(response.status).toBe(403)
  })

  it('cannot use operations that need re-authentication', async () => {
    const robot = await everything()
    const { id, username } = await robot.call(api.createUser, { body: aUser() })

    const password = 'another-tide-7'
    expect(codeOf(await robot.send(api.updateUser, { body: { id, username, password } }))).toBe('session_required')
    expect(codeOf(await robot.send(api.manageUser, { body: { id, action: 'reset_security' } }))).toBe(
      'session_required',
    )
  })

  it('sees channel keys only with their scope', async () => {
    const { id } = await root.call(api.createChannel, {
      body: { name: 'spring', key: 'sk-secret', models: 'm', base_url: 'http://example.com' },
    })
    const path = { id }

    expect(await (await everything()).call(api.revealChannelKey, { path })).toMatchObject({ key: 'sk-secret' })
    const robot = await createAutomationClient(root, ['channels:read', 'channels:write'])
    expect(codeOf(await robot.send(api.revealChannelKey, { path }))).toBe('scope_missing')
  })

  let made: ReturnType<typeof createAutomationClient> | undefined
  const everything = () => (made ??= createAutomationClient(root, ALL))
})

describe('managing automation tokens', () => {
  it('rejects the system access token', async () => {
    const owner = await site.signedIn('user')
    const { id } = await createAutomationClient(owner, ['account:read'])
    const system = await owner.call(api.createAccessToken)
    const caller = clientWithToken(site.url, system)
    const headers = { 'tidegate-user': String(owner.userId) }

    const body = { name: 'x', scopes: ['account:read'] }
    expect(codeOf(await caller.send(api.createAutomationToken, { body, headers }))).toBe('session_required')
    expect(codeOf(await caller.send(api.revokeAutomationToken, { path: { id }, headers }))).toBe('session_required')
  })

  it('requires a recent re-authentication', async () => {
    const owner = await site.signedIn('user')
    await site.db
      .updateTable('session')
      .set({ proved_at: new Date(0) })
      .where('user_id', '=', owner.userId!)
      .execute()

    const made = await owner.send(api.createAutomationToken, { body: { name: 'x', scopes: ['account:read'] } })

    expect(codeOf(made)).toBe('proof_required')
  })

  it('stops at fifty tokens', async () => {
    const owner = await site.signedIn('user')
    const make = () => owner.send(api.createAutomationToken, { body: { name: 'x', scopes: ['account:read'] } })

    const responses = await Promise.all(Array.from({ length: 55 }, make))

    expect(responses.filter(({ envelope }) => envelope.success)).toHaveLength(50)
    expect(new Set(responses.map(codeOf))).toEqual(new Set(['', 'token_limit_reached']))
  })

  it('rejects made-up tokens', async () => {
    expect(codeOf(await clientWithToken(site.url, 'tgc_nobody').send(api.getSelf))).toBe('access_token_invalid')
    expect(codeOf(await apiClient(site.url).send(api.getSelf))).toBe('not_logged_in')
  })

  it('reports a mistyped token', async () => {
    const { token } = await createAutomationClient(root, ['account:read'])
    const mistyped = token.slice(0, 10) + (token[10] === 'x' ? 'y' : 'x') + token.slice(11)

    const { response, envelope } = await clientWithToken(site.url, mistyped).send(api.getSelf)

    expect([response.status, envelope]).toMatchObject([401, { code: 'access_token_mistyped' }])
  })

  it('accepts an older token without a checksum', async () => {
    const { id } = await createAutomationClient(root, ['account:read'])
    const older = `tgc_${'Ab-_'.repeat(10)}`
    const hash = site.deps.vault.keyedHash('automation-token', older)
    await site.db.updateTable('automation_token').set({ hash }).where('id', '=', id).execute()

    expect((await clientWithToken(site.url, older).send(api.getSelf)).envelope.success).toBe(true)
  })
})
