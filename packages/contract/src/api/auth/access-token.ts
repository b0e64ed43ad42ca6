import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { IsoTime } from '../../values.ts'

/** Metadata of the system access token of a user. */
export const AccessTokenFacts = z.object({
  last_four: z.string(),
  created_at: IsoTime,
  last_used_at: IsoTime.nullable(),
})
export type AccessTokenFacts = z.output<typeof AccessTokenFacts>

/** Used by the console. */
export const renewAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token',
  access: 'user',
  summary: 'Creates a system access token, which replaces the previous one. The response shows it once.',
  sameOriginOnly: true,
  proof: 'orToken',
  reply: z.string(),
  errors: [],
})

/** The same with POST, for programs. */
export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/user/token',
  access: 'user',
  summary: 'Creates a system access token, which replaces the previous one. The response shows it once.',
  proof: 'orToken',
  reply: z.string(),
  errors: [],
})

export const getAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token/info',
  access: 'user',
  summary: 'Returns when the system access token was created and last used; null if there is none.',
  reply: AccessTokenFacts.nullable(),
  errors: [],
})

export const revokeAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/user/token',
  access: 'user',
  summary: 'Revokes the system access token. The next request with it is rejected.',
  reply: z.undefined(),
  errors: [],
})
