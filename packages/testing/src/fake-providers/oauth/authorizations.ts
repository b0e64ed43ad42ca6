import { createHash, randomBytes } from 'node:crypto'
import type { ServiceAnswer, ServiceCall } from './json-server.ts'

interface Issued<Account> {
  account: Account
  redirectUri: string
  challenge: string | undefined
}

/** The front end of a service without pages: whoever is at the browser has said yes, or no, already. */
export function authorizations<Account>(clientId: string) {
  const codes = new Map<string, Issued<Account>>()
  const tokens = new Map<string, Account>()
  let refusing = false

  return {
    /** The next people at the browser press "cancel". */
    refuse(now: boolean) {
      refusing = now
    },

    /** Sends the browser back with a code that works once. */
    authorize({ query }: ServiceCall, account: Account): ServiceAnswer {
      const { client_id, redirect_uri = '', state = '', code_challenge: challenge, code_challenge_method } = query
      const pkceIsRight = challenge === undefined || code_challenge_method === 'S256'
      if (client_id !== clientId || redirect_uri === '' || !pkceIsRight) {
        return { status: 400, json: { error: 'invalid_request' } }
      }
      const back = new URL(redirect_uri)
      back.searchParams.set('state', state)
      if (refusing) {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('error_description', 'The person said no')
      } else {
        const code = randomBytes(10).toString('hex')
        codes.set(code, { account, redirectUri: redirect_uri, challenge })
        back.searchParams.set('code', code)
      }
      return { status: 302, headers: { location: back.href } }
    },

    /** An access token for a code, or nothing when anything about the exchange is wrong. */
    exchange(given: { code?: string; redirect_uri?: string; code_verifier?: string }): string | undefined {
      const issued = codes.get(given.code ?? '')
      codes.delete(given.code ?? '')
      if (!issued || issued.redirectUri !== given.redirect_uri) return undefined
      if (issued.challenge !== undefined && issued.challenge !== challengeOf(given.code_verifier ?? ''))
        return undefined
      const token = randomBytes(16).toString('hex')
      tokens.set(token, issued.account)
      return token
    },

    bearerOf({ headers }: ServiceCall): Account | undefined {
      return tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    },
  }
}

/** Follows an address that a service redirects from, as a browser would; gives what it sends back to us. */
export async function approve(authorizeUrl: string): Promise<Record<string, string>> {
  const response = await fetch(authorizeUrl, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the service answered ${response.status}: ${await response.text()}`)
  return Object.fromEntries(new URL(location).searchParams)
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
