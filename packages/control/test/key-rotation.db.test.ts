import { api } from '@tidegate/contract'
import {
  countSealed,
  loadKeyRing,
  openVault,
  prepareKey,
  pushSubscriptions,
  readKeyRows,
  redemptions,
  retireKey,
  rewrapKeys,
  rotateSecrets,
} from '@tidegate/storage'
import { addChannel, addToken, fakeBrowserPush } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEndpoint } from '../src/messaging/push/send-push.ts'
import { vapidAuthorization } from '../src/messaging/push/vapid.ts'
import { startSecuritySite, type SecuritySite } from './security-site.ts'

const PROVIDER_KEY = 'sk-CANARY-PROVIDER-KEY'
const AT_ONCE = { nodesReadMs: 0 }

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

/** One value of everything that is stored sealed or hashed. */
async function secretsOfAllKinds() {
  const { client, secret, recoveryCodes } = await site.withTotp()
  const admin = await site.freshRoot()
  await site.set({ SMTPToken: 'CANARY-SMTP' })
  await addChannel(admin, { url: 'https://api.provider.example' }, { name: 'rotated', key: PROVIDER_KEY })
  const token = await addToken(client)
  const webhook = { notify_type: 'webhook', webhook_url: 'https://hooks.example/in', webhook_secret: 'CANARY-HOOK' }
  await client.call(api.updateSetting, { body: { ...webhook, quota_warning_threshold: 1 } })
  await client.call(api.getPush)
  await client.call(api.subscribePush, { body: fakeBrowserPush('https://push.example/a').subscription })
  const [code] = await admin.call(api.createRedemptions, { body: { name: 'rotated', quota: 5 } })
  return { client, admin, secret, recoveryCodes, token, code: code! }
}

const keysInUse = async () => [...new Set((await countSealed(site.db)).map(({ keyId }) => keyId))]
const catalogKeys = () => [...site.deps.catalog().channels.values()].find(({ name }) => name === 'rotated')!.keys

describe('rotating the keys of stored secrets', () => {
  it('keeps every secret usable, before and after the old key is retired', async () => {
    const { client, admin, secret, recoveryCodes, token, code } = await secretsOfAllKinds()
    const usedAt = async (step: number) => {
      await site.deps.catchUp(
        (await site.db.selectFrom('catalog_version').select('version').executeTakeFirstOrThrow()).version,
      )
      expect(catalogKeys()).toEqual([PROVIDER_KEY])
      expect(site.deps.catalog().settings.SMTPToken).toBe('CANARY-SMTP')
      const tokens = await client.call(api.listTokens)
      expect(tokens.map(({ key }) => key)).toContain(token.key)
      const { ticket: login_ticket } = await site.halfLogin(client)
      expect((await site.finish({ login_ticket, code: site.freshCode(secret) })).error).toBeUndefined()
      const again = await site.halfLogin(client)
      expect((await site.finish({ login_ticket: again.ticket, code: recoveryCodes[step]! })).error).toBeUndefined()
      const { items } = await admin.call(api.searchRedemptions, { query: { keyword: code } })
      expect(items.map(({ key }) => key)).toEqual([code])
      const [subscription] = await pushSubscriptions.listOf(site.db, client.userId!)
      expect(openEndpoint(site.deps.vault, subscription!).endpoint).toBe('https://push.example/a')
      expect(await vapidAuthorization(site.deps, new URL('https://push.example'))).toContain('vapid t=')
    }

    const sealed = (await countSealed(site.db)).map(({ purpose }) => purpose)
    expect(sealed).toEqual(
      expect.arrayContaining([
        'channel-key',
        'token-key',
        'option',
        'webhook-secret',
        'totp',
        'redemption-code',
        'push-key',
        'push-subscription',
      ]),
    )

    const rotation = await rotateSecrets(site.db, site.deps.vault, AT_ONCE)
    await usedAt(0)
    expect(rotation).toMatchObject({ keyId: 2, unreadable: [] })
    expect(await keysInUse()).toEqual([2])

    await retireKey(site.db, site.deps.vault, 1)
    await usedAt(1)
    const redeemed = await client.call(api.redeem, { body: { key: code } })
    expect(redeemed).toMatchObject({ quota: 5 })
  })

  it('continues after an interruption with the same key', async () => {
    const member = await site.signedIn('user')
    for (let count = 0; count < 7; count += 1) await addToken(member)
    let batches = 0
    const cut = rotateSecrets(site.db, site.deps.vault, {
      ...AT_ONCE,
      batchSize: 2,
      onProgress: ({ purpose, resealed }) => {
        if (purpose === 'token-key' && resealed > 0 && ++batches === 2) throw new Error('killed')
      },
    })
    await expect(cut).rejects.toThrow('killed')
    const cutKeys = await keysInUse()
    expect(cutKeys).toHaveLength(2)

    const { keyId } = await rotateSecrets(site.db, site.deps.vault, { ...AT_ONCE, batchSize: 2 })

    expect(keyId).toBe(Math.max(...cutKeys))
    expect(await keysInUse()).toEqual([keyId])
  })

  it('keeps concurrent changes, with the new key', async () => {
    await site.freshRoot()
    const changes: Promise<void>[] = []
    await rotateSecrets(site.db, site.deps.vault, {
      ...AT_ONCE,
      onProgress: ({ purpose }) => {
        if (purpose === 'channel-key') changes.push(site.set({ SMTPToken: 'CHANGED' }))
      },
    })
    await Promise.all(changes)

    expect(changes.length).toBeGreaterThan(0)
    expect(site.deps.catalog().settings.SMTPToken).toBe('CHANGED')
    expect(await keysInUse()).toEqual([site.deps.vault.ring.activeId()])
  })

  it('creates one key for two concurrent commands', async () => {
    const before = site.deps.vault.ring.activeId()

    const rotations = await Promise.all([1, 2].map(() => rotateSecrets(site.db, site.deps.vault, AT_ONCE)))

    expect(rotations.map(({ keyId }) => keyId)).toEqual([before + 1, before + 1])
    expect(await keysInUse()).toEqual([before + 1])
  })

  it('does not finish or retire a key while a value cannot be opened', async () => {
    const { client } = await site.withTotp()
    const active = site.deps.vault.ring.activeId()
    await sql`update totp set sealed_secret = ${`v${active}.AAAA`} where user_id = ${client.userId}`.execute(site.db)

    const { unreadable } = await rotateSecrets(site.db, site.deps.vault, AT_ONCE)

    expect(unreadable).toEqual([{ purpose: 'totp', context: String(client.userId) }])
    await expect(retireKey(site.db, site.deps.vault, active)).rejects.toThrow('1 totp')
  })

  it('does not retire the current or an unknown key', async () => {
    const active = site.deps.vault.ring.activeId()

    await expect(retireKey(site.db, site.deps.vault, active)).rejects.toThrow('in use')
    await expect(retireKey(site.db, site.deps.vault, 999)).rejects.toThrow('no key 999')
  })

  it('creates a new key after the root key was replaced, also after an interrupted rotation', async () => {
    const cut = await prepareKey(site.db, site.deps.vault)
    await rewrapKeys(site.db, site.deps.vault)
    const active = site.deps.vault.ring.activeId()

    const { keyId } = await rotateSecrets(site.db, site.deps.vault, AT_ONCE)

    expect(keyId).toBeGreaterThan(active)
    expect(cut).toBe(active + 1)
    await sql`update secret_key set completed_at = null where state = 'active'`.execute(site.db)
    await expect(retireKey(site.db, site.deps.vault, active)).rejects.toThrow('not complete')
    await rewrapKeys(site.db, site.deps.vault)
    expect((await rotateSecrets(site.db, site.deps.vault, AT_ONCE)).keyId).toBe(keyId + 1)
  })

  it('wraps every key when an older read finishes in between', async () => {
    const { ring, ...vault } = site.deps.vault
    const before = await readKeyRows(site.db)
    const { keyId } = await rotateSecrets(site.db, site.deps.vault, AT_ONCE)
    const load: typeof ring.load = (rows) => {
      ring.load(rows)
      ring.load(before)
    }

    await rewrapKeys(site.db, { ...vault, ring: { ...ring, load } })

    expect(ring.activeId()).toBe(keyId)
  })

  it('prevents processes with another root key from starting', async () => {
    await expect(loadKeyRing(site.db, openVault(new Uint8Array(32).fill(9)))).rejects.toThrow('does not open')
  })
})

it('a command with another root key changes nothing on a site that was never rotated', async () => {
  const fresh = await startSecuritySite()
  await fresh.set({ SMTPToken: 'CANARY-SMTP' })
  const otherVault = openVault(new Uint8Array(32).fill(9))

  await expect(rotateSecrets(fresh.db, otherVault, AT_ONCE)).rejects.toThrow('does not open the secrets')
  await expect(rewrapKeys(fresh.db, otherVault)).rejects.toThrow('does not open the secrets')

  expect(await fresh.db.selectFrom('secret_key').select('id').execute()).toEqual([])
  await fresh.close()
})

describe('redemption codes at rest', () => {
  it('are never stored in plain, and can be found, shown and redeemed', async () => {
    const admin = await site.freshRoot()
    const [code] = await admin.call(api.createRedemptions, {
      body: { name: 'at rest', quota: 7, key: 'GIFT-CANARY-1' },
    })

    const row = await site.db
      .selectFrom('redemption')
      .selectAll()
      .where('name', '=', 'at rest')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(code)
    const taken = await admin.send(api.createRedemptions, { body: { name: 'again', quota: 7, key: 'GIFT-CANARY-1' } })
    expect(taken.envelope).toMatchObject({ code: 'redemption_key_taken' })
    const member = await site.signedIn('user')
    expect(await member.call(api.redeem, { body: { key: ` ${code} ` } })).toMatchObject({ quota: 7 })
  })

  it('can be redeemed if written by earlier versions, and are sealed by the worker', async () => {
    const values = { created_by: 1, name: 'earlier', quota: 3 }
    await site.db
      .insertInto('redemption')
      .values([
        { ...values, key: 'OLD-1' },
        { ...values, key: 'OLD-2' },
      ])
      .execute()
    const member = await site.signedIn('user')
    expect(await member.call(api.redeem, { body: { key: 'OLD-1' } })).toMatchObject({ quota: 3 })

    expect(await redemptions.sealPlainKeys(site.db, site.deps.vault)).toBe(2)

    expect(await site.db.selectFrom('redemption').select('id').where('key', 'is not', null).execute()).toEqual([])
    const other = await site.signedIn('user')
    expect(await other.call(api.redeem, { body: { key: 'OLD-2' } })).toMatchObject({ quota: 3 })
    expect(await redemptions.sealPlainKeys(site.db, site.deps.vault)).toBe(0)
  })

  it('created again by an older node do not prevent sealing others', async () => {
    const values = { created_by: 1, name: 'again', quota: 3 }
    await site.db
      .insertInto('redemption')
      .values([
        { ...values, key: 'OLD-2' },
        { ...values, key: 'OLD-3' },
      ])
      .execute()

    expect(await redemptions.sealPlainKeys(site.db, site.deps.vault)).toBe(1)
    expect(await redemptions.sealPlainKeys(site.db, site.deps.vault)).toBe(0)
  })
})
