import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../test/start-site.ts'
import { errorCode, startSecuritySite, type Client, type SecuritySite } from '../../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

/** Another browser that just logged in with the password only. */
async function thiefWithPassword({ username }: Client): Promise<Client> {
  const browser = apiClient(site.url)
  await browser.login(username, PASSWORD)
  return Object.assign(browser, { username })
}
const firstPasskey = async (client: Client) => (await client.call(api.getSecurity)).passkeys[0]!.id
const removePasskey = async (client: Client, id: number) => errorCode(client.send(api.removePasskey, { path: { id } }))

describe('an account with a passkey', () => {
  it('rejects removal after a password login', async () => {
    const owner = await site.signedIn('user')
    await site.addPasskey(owner)
    const id = await firstPasskey(owner)
    const thief = await thiefWithPassword(owner)

    expect(await removePasskey(thief, id)).toBe('proof_required')
    expect(await errorCode(thief.send(api.proveOwner, { body: { password: PASSWORD } }))).toBe('reauth_factor_required')
    expect(await removePasskey(thief, id)).toBe('proof_required')
  })

  it('rejects new factors after a password login', async () => {
    const owner = await site.signedIn('user')
    await site.addPasskey(owner)
    const thief = await thiefWithPassword(owner)

    for (const endpoint of [api.beginTotp, api.enableTotp, api.askForNewPasskey]) {
      expect(await errorCode(thief.send(endpoint, { body: {} }))).toBe('proof_required')
    }
  })

  it('allows removal after the passkey or a code', async () => {
    const owner = await site.signedIn('user')
    const passkey = await site.addPasskey(owner)
    const browser = await thiefWithPassword(owner)
    const { ticket, options } = await browser.call(api.askForProof)
    await browser.call(api.proveOwner, { body: { passkey: { ticket, response: passkey.get(options) } } })
    expect(await removePasskey(browser, await firstPasskey(owner))).toBeUndefined()

    const { secret } = await site.enableTotp(owner)
    await site.addPasskey(owner)
    site.passSeconds(601)
    expect(await removePasskey(owner, await firstPasskey(owner))).toBe('proof_required')
    await owner.call(api.proveOwner, { body: { code: site.freshCode(secret) } })
    expect(await removePasskey(owner, await firstPasskey(owner))).toBeUndefined()
  })
})

describe('two-factor authentication', () => {
  it('cannot be disabled by an older password session', async () => {
    const owner = await site.signedIn('user')
    const thief = await thiefWithPassword(owner)
    await site.enableTotp(owner)

    expect(await errorCode(thief.send(api.disableTotp))).toBe('proof_required')
    expect(await errorCode(thief.send(api.renewRecoveryCodes))).toBe('proof_required')
  })

  it.each(['code', 'recovery code', 'passkey'] as const)('can be disabled after a login with a %s', async (kind) => {
    const { client, secret, recoveryCodes } = await site.withTotp()
    const passkey = await site.addPasskey(client)
    const { ticket: login_ticket } = await site.halfLogin(client)
    const result = async () => {
      const { ticket, options } = await apiClient(site.url).call(api.askForPasskey, { body: { login_ticket } })
      return { passkey: { ticket, response: passkey.get(options) } }
    }
    const shown = {
      code: async () => ({ code: site.freshCode(secret) }),
      'recovery code': async () => ({ code: recoveryCodes[0]! }),
      passkey: result,
    }[kind]
    const { browser } = await site.finish({ login_ticket, ...(await shown()) })

    expect(await errorCode(browser!.send(api.disableTotp))).toBeUndefined()
  })

  it('can be enabled right after adding a passkey', async () => {
    const client = await site.signedIn('user')
    await site.addPasskey(client)

    await site.enableTotp(client)

    expect(await errorCode(client.send(api.renewRecoveryCodes))).toBeUndefined()
  })

  it('requires the factor again after ten minutes', async () => {
    const { client } = await site.withTotp()
    site.passSeconds(601)
    await site.db
      .updateTable('session')
      .set({ proved_at: site.deps.now() })
      .where('user_id', '=', client.userId!)
      .execute()

    expect(await errorCode(client.send(api.disableTotp))).toBe('proof_required')
  })
})

it('can be changed with the password while passkeys cannot be used', async () => {
  const client = await site.signedIn('user')
  await site.addPasskey(client)
  const id = await firstPasskey(client)
  await site.set({ SMTPServer: '', ServerAddress: '' })
  const browser = await thiefWithPassword(client)

  expect(await removePasskey(browser, id)).toBeUndefined()
  await site.set({ ServerAddress: 'https://gate.example', SMTPServer: '127.0.0.1' })
})
