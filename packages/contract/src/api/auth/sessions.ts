import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { IsoTime } from '../../values.ts'

export const OwnSession = z.object({
  /** Names the session for its owner; nobody can log in with it. */
  id: z.string(),
  created_at: IsoTime,
  last_seen_at: IsoTime,
  expires_at: IsoTime,
  client_ip: z.string(),
  user_agent: z.string(),
  /** The session this call came with. */
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  enrolment: true,
  summary: 'Where the user is logged in, last used first.',
  reply: z.array(OwnSession),
  errors: [],
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/{hash}',
  access: 'user',
  enrolment: true,
  summary: 'Logs one own session out.',
  reply: z.undefined(),
  errors: ['session_not_found'],
})

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  access: 'user',
  enrolment: true,
  summary: 'Logs out everywhere, here included.',
  reply: z.undefined(),
  errors: [],
})
