import { randomBytes } from 'node:crypto'

/** For users who had none, or one that somebody else has. */
export function newInviteCode(): string {
  return randomBytes(6).toString('base64url')
}
