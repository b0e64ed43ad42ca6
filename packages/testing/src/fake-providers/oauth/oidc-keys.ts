import { createPublicKey, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto'

export interface SigningKey {
  readonly kid: string
  readonly jwk: JsonWebKey
  readonly publicJwk: JsonWebKey
  sign(claims: object): string
}

/** An RSA key that signs ID tokens as a provider does. */
export function newSigningKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const facts = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    jwk: { ...privateKey.export({ format: 'jwk' }), ...facts },
    publicJwk: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...facts },
    sign: (claims) => signToken(privateKey, kid, claims),
  }
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
}

function signToken(key: KeyObject, kid: string, claims: object): string {
  const head = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`
  return `${head}.${sign('RSA-SHA256', Buffer.from(head), key).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
