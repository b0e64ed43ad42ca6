import { type Endpoint, logEvent } from '@tidegate/contract'
import { auditEvents } from '@tidegate/storage'
import type { AuthFailure, AuthFailureKind, AuthFailures, Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import type { LocalizedNotification } from '../messaging/notifications/notification.ts'
import { notifyRoot } from '../messaging/outbox/enqueue.ts'

type FailureDeps = Pick<Deps, 'db' | 'limiter' | 'catalog' | 'log' | 'now'> & {
  /** For metrics. */
  count?(kind: AuthFailureKind): void
}

const WINDOW_MS = 600_000
const ALERT_WINDOW_SECONDS = 3_600
/** Accounts and addresses per kind with their own events in a window. All others share one event. */
const MAX_GROUPS = 100
/** Failures waiting to be written; further ones are only counted. */
const MAX_PENDING = 1_000

export function createAuthFailures(deps: FailureDeps): AuthFailures {
  const groups = createGroups(() => deps.now().getTime())
  const pending = new Set<Promise<void>>()

  async function write(failure: AuthFailure): Promise<void> {
    try {
      const group = groups.add(failure)
      if (isPowerOfTen(group.count)) await auditEvents.record(deps.db, eventOf(failure, group))
      await alertIfMany(deps)
    } catch (error) {
      logEvent(deps.log, 'audit.auth_failure_lost', { err: error })
    }
  }

  return {
    record(failure) {
      deps.count?.(failure.kind)
      if (pending.size >= MAX_PENDING) return
      const written = write(failure).finally(() => pending.delete(written))
      pending.add(written)
    },
    async flush() {
      await Promise.all(pending)
    },
  }
}

interface Group {
  count: number
  isShared: boolean
}

/** Failures of one account from one address are counted together for ten minutes. */
function createGroups(now: () => number) {
  let until = 0
  let groups = new Map<string, Group>()
  const sizes = new Map<AuthFailureKind, number>()

  function open(key: string, isShared: boolean): Group {
    const group = groups.get(key) ?? { count: 0, isShared }
    groups.set(key, group)
    return group
  }

  return {
    add({ kind, userId, origin }: AuthFailure): Group {
      if (now() >= until) {
        until = now() + WINDOW_MS
        groups = new Map()
        sizes.clear()
      }
      const key = `${kind}:${userId ?? ''}:${origin.clientIp}`
      const size = sizes.get(kind) ?? 0
      const isShared = !groups.has(key) && size >= MAX_GROUPS
      if (!groups.has(key) && !isShared) sizes.set(kind, size + 1)
      const group = open(isShared ? kind : key, isShared)
      group.count += 1
      return group
    },
  }
}

/** 1, 10, 100, … */
function isPowerOfTen(count: number): boolean {
  return Number.isInteger(Math.log10(count))
}

function eventOf({ kind, userId, isUser, origin, details }: AuthFailure, { count, isShared }: Group) {
  const action = `user.${kind}`
  // A shared event covers several accounts and addresses, so it names none.
  if (isShared) return { actorId: null, action, details: { count } }
  const { clientIp, requestId, tokenName } = origin
  return {
    actorId: isUser ? (userId ?? null) : null,
    action,
    subject: userId === undefined ? '' : String(userId),
    details: { count, ...details },
    clientIp,
    requestId,
    ...(tokenName !== undefined && { tokenName }),
  }
}

/** Nodes that share a Redis count together; one of them sends the alert. */
async function alertIfMany({ db, limiter, catalog }: FailureDeps): Promise<void> {
  const limit = catalog().settings['security.auth_failure_alert_threshold']
  const failures = await limiter.take([{ key: 'auth-failures', limit, windowSeconds: ALERT_WINDOW_SECONDS }])
  if (failures.allowed) return
  const alert = await limiter.take([{ key: 'auth-failures:alert', limit: 1, windowSeconds: ALERT_WINDOW_SECONDS }])
  if (!alert.allowed) return
  await db.transaction().execute((transaction) => notifyRoot(transaction, authFailureAlert(limit)))
}

/** A request to a protected endpoint, and its origin. */
export interface ProtectedRequest {
  endpoint: Endpoint
  origin: Pick<Origin, 'clientIp' | 'requestId' | 'tokenName'>
}

/** Records a request that its caller may not send, by route. */
export function recordForbidden(
  { authFailures }: Pick<Deps, 'authFailures'>,
  { endpoint, origin }: ProtectedRequest,
  { id }: { id: number },
  reason: 'forbidden' | 'scope_missing' | 'not_for_tokens',
): void {
  const details = { call: `${endpoint.method} ${endpoint.path}`, reason }
  authFailures.record({ kind: 'forbidden', userId: id, isUser: true, origin, details })
}

/** Alert for the super admin about many failures. */
function authFailureAlert(threshold: number): LocalizedNotification {
  return {
    type: 'auth_failures',
    title: { zh: '登录失败次数过多', en: 'Many failed sign-ins' },
    content: {
      zh: '一小时内登录、二次验证、重新验证失败或被拒绝的调用超过 {{value}} 次。请在审计日志中按操作“登录失败”等筛选，查看来源地址和账号。',
      en: 'More than {{value}} sign-ins, second factors, re-authentications or forbidden calls failed within an hour. See the audit trail for accounts and addresses.',
    },
    values: [String(threshold)],
  }
}
