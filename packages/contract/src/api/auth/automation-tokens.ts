import { z } from 'zod'
import { AREAS, type Area } from '../../areas.ts'
import { endpoint } from '../../endpoint.ts'
import { AUTOMATION_TOKEN } from '../../token-format.ts'
import { Id, IsoTime, UnixSeconds } from '../../values.ts'
import { NEVER_EXPIRES } from '../tokens.ts'

export const AUTOMATION_TOKEN_PREFIX = AUTOMATION_TOKEN.prefix
export const MAX_AUTOMATION_TOKENS = 50

/** A token with scopes, for programs that call `/api` for its owner. */
export const AutomationToken = z.object({
  id: Id,
  name: z.string(),
  last_four: z.string(),
  scopes: z.array(z.string()),
  /** Allowed addresses or ranges, one per line; blank for all. */
  allow_ips: z.string(),
  created_at: IsoTime,
  expires_at: IsoTime.nullable(),
  expired: z.boolean(),
  last_used_at: IsoTime.nullable(),
})
export type AutomationToken = z.output<typeof AutomationToken>

/** A scope that the owner can grant. */
export const ScopeChoice = z.object({ scope: z.string(), area: z.enum(Object.keys(AREAS) as Area[]) })
export type ScopeChoice = z.output<typeof ScopeChoice>

export const listAutomationTokens = endpoint({
  method: 'GET',
  path: '/api/user/automation_tokens',
  access: 'user',
  summary: 'Lists your automation tokens, newest first, and the scopes that you can grant.',
  reply: z.object({ items: z.array(AutomationToken), scopes: z.array(ScopeChoice) }),
  errors: [],
})

export const NewAutomationToken = z.object({
  name: z.string(),
  scopes: z.array(z.string()).max(100),
  expired_time: UnixSeconds.default(NEVER_EXPIRES),
  allow_ips: z.string().max(10_000).default(''),
})
export type NewAutomationToken = z.output<typeof NewAutomationToken>

export const createAutomationToken = endpoint({
  method: 'POST',
  path: '/api/user/automation_tokens',
  access: 'user',
  summary: 'Creates an automation token. The response shows the token once.',
  proof: true,
  body: NewAutomationToken,
  reply: AutomationToken.extend({ token: z.string() }),
  errors: [
    'token_name_invalid',
    'token_expiry_invalid',
    'token_address_invalid',
    'token_limit_reached',
    'scopes_required',
    'scope_unknown',
  ],
})

export const revokeAutomationToken = endpoint({
  method: 'DELETE',
  path: '/api/user/automation_tokens/{id}',
  access: 'user',
  summary: 'Revokes one of your automation tokens. Every node rejects the next request with it.',
  reply: z.undefined(),
  errors: ['token_not_found', 'session_required'],
})
