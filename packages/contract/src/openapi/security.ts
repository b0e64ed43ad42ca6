import { scopeOf } from '../areas.ts'
import { USER_ID_HEADERS, type Endpoint } from '../endpoint.ts'

/** Both credentials need the user id header: a cross-site page cannot send it. */
export const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by a login.' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'The system access token of a user.' },
  automationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token `tgc_…` with scopes; needs no user-id header.',
  },
  userId: {
    type: 'apiKey',
    in: 'header',
    name: 'Tidegate-User',
    description: `The id of the user. Also accepted: ${USER_ID_HEADERS.slice(1).join(', ')}.`,
  },
} as const

type Requirement = { [Scheme in keyof typeof SECURITY_SCHEMES]?: string[] }

/** The scope listed with `automationToken` is required. */
export function securityOf(endpoint: Endpoint): Requirement[] {
  if (endpoint.access === 'public') return []
  const scope = scopeOf(endpoint)
  const credentials: Requirement[] = [
    { session: [], userId: [] },
    { accessToken: [], userId: [] },
    ...(scope === undefined ? [] : [{ automationToken: [scope] }]),
  ]
  return endpoint.access === 'visitor' ? [{}, ...credentials] : credentials
}
