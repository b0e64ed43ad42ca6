import { randomBytes } from 'node:crypto'

/** Time first, so that ids sort and tell when; then eight random characters. */
export function newRequestId(now = new Date()): string {
  const time = now.toISOString().replace(/\D/g, '')
  return time + randomBytes(6).toString('base64url').replace(/[-_]/g, 'x')
}
