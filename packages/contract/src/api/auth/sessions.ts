import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { IsoTime, stripNul } from '../../values.ts'
import { User } from '../users/users.ts'
import { TurnstileQuery } from './registration.ts'

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  access: 'public',
  summary: 'Logs in with a username or an email address and a password; sets the session cookie.',
  query: TurnstileQuery,
  body: z.object({ username: z.string().default('').transform(stripNul), password: z.string().default('') }),
  reply: User,
  errors: [
    'setup_required',
    'password_login_off',
    'invalid_params',
    'login_failed',
    'login_delayed',
    'second_factor_required',
    'admin_address_not_allowed',
    'turnstile_empty',
    'turnstile_failed',
    'turnstile_unavailable',
  ],
})

export const logout = endpoint({
  method: 'GET',
  path: '/api/user/logout',
  access: 'visitor',
  enrolment: true,
  summary: 'Logs out: ends the current session.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['user_id_header_missing', 'user_id_header_mismatch'],
})

export const OwnSession = z.object({
  /** Identifies the session; not a credential. */
  id: z.string(),
  created_at: IsoTime,
  last_seen_at: IsoTime,
  expires_at: IsoTime,
  client_ip: z.string(),
  user_agent: z.string(),
  /** The session of this request. */
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  enrolment: true,
  summary: 'Lists your sessions, last used first.',
  reply: z.array(OwnSession),
  errors: [],
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/{hash}',
  access: 'user',
  enrolment: true,
  summary: 'Ends one of your sessions.',
  reply: z.undefined(),
  errors: ['session_not_found'],
})

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  access: 'user',
  enrolment: true,
  summary: 'Ends all of your sessions, including the current one.',
  reply: z.undefined(),
  errors: [],
})
