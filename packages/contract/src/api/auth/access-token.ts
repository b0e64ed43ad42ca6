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
  summary: 'Makes a new system access token in place of the last one; it is shown this once.',
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
  summary: 'Makes a new system access token in place of the last one; it is shown this once.',
  proof: 'orToken',
  reply: z.string(),
  errors: [],
})

export const getAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token/info',
  access: 'user',
  summary: 'When the system access token was made and last used; null when there is none.',
  reply: AccessTokenFacts.nullable(),
  errors: [],
})

export const revokeAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/user/token',
  access: 'user',
  summary: 'Revokes the system access token; the next call with it is refused.',
  reply: z.undefined(),
  errors: [],
})
