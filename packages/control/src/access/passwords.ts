import { hash, verify } from '@node-rs/argon2'

/** argon2id with 19 MiB and two passes: about 12 ms here, out of reach for guessing at scale. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

let nobody: Promise<string> | undefined

/** Takes the same time whether or not the user exists or has a password, so that timing tells nothing. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return matches && typeof stored === 'string'
}
