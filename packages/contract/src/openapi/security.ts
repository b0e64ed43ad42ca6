import type { Access } from '../endpoint.ts'

/** The user-id header goes with either credential: a cross-site page cannot send it. */
export const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by logging in.' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'The system access token of a user.' },
  userId: {
    type: 'apiKey',
    in: 'header',
    name: 'Tidegate-User',
    description: 'The id of the user the caller believes to be.',
  },
} as const

type Requirement = { [Scheme in keyof typeof SECURITY_SCHEMES]?: string[] }

export function securityOf(access: Access): Requirement[] {
  if (access === 'public') return []
  const credentials: Requirement[] = [
    { session: [], userId: [] },
    { accessToken: [], userId: [] },
  ]
  return access === 'visitor' ? [{}, ...credentials] : credentials
}
