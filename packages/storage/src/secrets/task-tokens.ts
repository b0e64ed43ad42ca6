import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What an address of a task is for: its vendor tells news there, or its picture is shown. One does not give the other away. */
export type TaskPurpose = 'callback' | 'view'

export function newTaskSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** What makes an address of a task hard to guess. */
export function taskToken(secret: string, purpose: TaskPurpose): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

export function isTaskToken(token: string, secret: string, purpose: TaskPurpose): boolean {
  const given = Buffer.from(token)
  const expected = Buffer.from(taskToken(secret, purpose))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
