import { flag, integer } from '../define.ts'

const shadow = { tab: 'operation', section: 'shadow' } as const

export const shadowOptions = {
  /** Copies of calls that another gateway answers are looked at below `/shadow`; otherwise there is no such place. */
  ShadowEnabled: flag(shadow, false),
  /** Per cent of the copies; the others are sent away unread. */
  ShadowShare: integer(shadow, 100, { min: 0, max: 100 }),
}
