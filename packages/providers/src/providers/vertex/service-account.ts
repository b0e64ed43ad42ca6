import { asText, asJsonObject } from '@tidegate/dialects'
import { importPKCS8, SignJWT } from 'jose'
import type { SignRequest } from '../../upstream/request-signer.ts'
import { FAILURES } from '../../upstream/failure.ts'

export interface ServiceAccount {
  readonly project: string
  readonly email: string
  readonly privateKey: string
  readonly tokenUrl: string
}

const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** Google's tokens last an hour; half of it is enough. */
const LIFETIME_MS = 30 * 60 * 1000

/** Empty fields if the key is not a service account: the operator then sees Google's own error. */
export function readAccount(key: string): ServiceAccount {
  const document = parse(key)
  return {
    project: asText(document?.project_id),
    email: asText(document?.client_email),
    privateKey: asText(document?.private_key),
    tokenUrl: asText(document?.token_uri) || GOOGLE_TOKEN_URL,
  }
}

function parse(key: string) {
  try {
    return asJsonObject(JSON.parse(key))
  } catch {
    return undefined
  }
}

/** Exchanges the service account key for an access token. */
export const signVertexRequest: SignRequest = async ({ target, proxy }, signer) => {
  const account = readAccount(target.key)
  const token = await signer.token(target.key, async () => {
    const assertion = await buildAssertion(account, signer.now())
    const fields = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
    const response = asJsonObject(await signer.postForm(account.tokenUrl, fields, proxy))
    const accessToken = asText(response?.access_token)
    if (accessToken === '') throw FAILURES.unreadable(new Error('the response has no token'))
    return { token: accessToken, lifetimeMs: LIFETIME_MS }
  })
  return { authorization: `Bearer ${token}` }
}

async function importKey(privateKey: string) {
  return await importPKCS8(privateKey, 'RS256').catch((error: unknown) => {
    throw FAILURES.unusableKey(error)
  })
}

async function buildAssertion({ email, privateKey, tokenUrl }: ServiceAccount, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3600)
    .sign(await importKey(privateKey))
}
