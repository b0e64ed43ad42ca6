import type { AuditEvent } from '@tidegate/contract/api'
import { areaOf } from './actions.ts'

export type SubjectKind = 'user' | 'channel' | 'tag' | 'token' | 'redemption' | 'option' | 'topUp' | 'other'

export interface Subject {
  kind: SubjectKind
  /** The screen that shows it, where there is one. */
  path: string | null
}

/** What kind of thing an event is about. */
export function subjectOf({ action, subject }: Pick<AuditEvent, 'action' | 'subject'>): Subject {
  const area = areaOf(action)
  const isId = /^\d{1,15}$/.test(subject)
  if (area === 'user' && isId) return { kind: 'user', path: `/admin/users?keyword=${subject}` }
  if (area === 'channel') {
    if (action.startsWith('channel.tag')) return { kind: 'tag', path: null }
    if (isId) return { kind: 'channel', path: `/admin/channels?keyword=${subject}` }
  }
  if (isId && (area === 'token' || area === 'redemption')) return { kind: area, path: null }
  if (area === 'option') return { kind: 'option', path: null }
  return { kind: area === 'top_up' ? 'topUp' : 'other', path: null }
}
