import { z } from 'zod'
import { ServiceFailure } from './provider-client.ts'
import { profileOf, type Profile } from './profile.ts'

/** What an account can be made of; a claim of another type is as good as none. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  preferred_username: z.string().catch(''),
  name: z.string().catch(''),
  email: z.string().catch(''),
  email_verified: z.boolean().catch(false),
})

export const OIDC_SCOPE = 'openid profile email'

/** The person of an issuer; the same subject of another issuer is somebody else. */
export function oidcProfile(issuer: string, given: unknown): Profile {
  const parsed = Claims.safeParse(given)
  if (!parsed.success) throw new ServiceFailure('bad-answer', 'the claims name nobody', { cause: parsed.error })
  const { sub, preferred_username, name, email, email_verified } = parsed.data
  return profileOf(
    { service: 'oidc', issuer, subject: sub },
    {
      label: preferred_username || email || sub,
      displayName: name || 'OIDC User',
      username: preferred_username,
      readEmail: async () => (email_verified && email !== '' ? email : undefined),
    },
  )
}
