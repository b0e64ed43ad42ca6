import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { withoutZeros } from '../../values.ts'
import { TurnstileQuery } from './registration.ts'
import { User } from '../users/users.ts'

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  access: 'public',
  summary: 'Logs in with a username or an email address and a password; sets the session cookie.',
  query: TurnstileQuery,
  body: z.object({ username: z.string().default('').transform(withoutZeros), password: z.string().default('') }),
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
  summary: 'Ends the session.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['user_id_header_missing', 'user_id_header_mismatch'],
})
