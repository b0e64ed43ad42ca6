import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { Settings } from '@tidegate/contract'
import { pushSubscriptions, type PushKeyRow } from '@tidegate/storage'
import { SignJWT } from 'jose'
import type { Deps } from '../../deps.ts'

/** Push services reject tokens that are valid for more than a day. */
const VALID_HOURS = 12
const HOUR_MS = 60 * 60 * 1000

/**
 * The key pair that identifies this site to push services (VAPID, RFC 8292). Browsers bind their subscription to it, so
 * it is created at the first start and never changes. Nodes that start at the same time end with the pair that was stored
 * first.
 */
export async function pushKey({ db, vault }: Pick<Deps, 'db' | 'vault'>): Promise<PushKeyRow> {
  const known = await pushSubscriptions.findKey(db)
  if (known) return known
  const { publicKey, privateKey } = newKeyPair()
  const sealed = vault.seal('push-key', publicKey, privateKey)
  await pushSubscriptions.putNewKey(db, { public_key: publicKey, sealed_private_key: sealed })
  return (await pushSubscriptions.findKey(db))!
}

/** Public key as an uncompressed point, private key as a number, both in base64url. */
function newKeyPair(): { publicKey: string; privateKey: string } {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d! }
}

/** The `Authorization` header for one endpoint. */
export async function vapidAuthorization(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'>,
  endpoint: URL,
): Promise<string> {
  const { public_key, sealed_private_key } = await pushKey(deps)
  const point = Buffer.from(public_key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const d = deps.vault.open('push-key', public_key, sealed_private_key)
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d }, format: 'jwk' })
  const contact = contactOf(deps.catalog().settings)
  const token = await new SignJWT(contact === undefined ? {} : { sub: contact })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(endpoint.origin)
    .setExpirationTime(new Date(deps.now().getTime() + VALID_HOURS * HOUR_MS))
    .sign(key)
  return `vapid t=${token}, k=${public_key}`
}

/** How a push service can reach the operator: the site, or the sender of mails. Apple requires one. */
function contactOf({
  ServerAddress,
  SMTPFrom,
  SMTPAccount,
}: Pick<Settings, 'ServerAddress' | 'SMTPFrom' | 'SMTPAccount'>): string | undefined {
  const site = URL.parse(ServerAddress)
  if (site?.protocol === 'https:') return site.origin
  const sender = [SMTPFrom, SMTPAccount].find((address) => /^[^\s<>@]+@[^\s<>@]+$/.test(address))
  return sender && `mailto:${sender}`
}
