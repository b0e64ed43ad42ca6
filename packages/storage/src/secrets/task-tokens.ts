import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The use of a task URL: provider callbacks or showing the result. The token of one does not reveal the other. */
export type TaskPurpose = 'callback' | 'view'

export function newTaskSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** Makes a task URL hard to guess. */
export function taskToken(secret: string, purpose: TaskPurpose): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

export function isTaskToken(token: string, secret: string, purpose: TaskPurpose): boolean {
  const actual = Buffer.from(token)
  const expected = Buffer.from(taskToken(secret, purpose))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
