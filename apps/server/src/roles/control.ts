import { createAuthFailures, type AuthFailures, type Deps } from '@tidegate/control'
import type { Environment } from '../environment.ts'
import { limiterOf, type ServerNode } from '../process/node.ts'
import { VERSION } from '../version.ts'
import type { UpstreamAccess } from './gateway.ts'

/** Timeout of queries that a console page waits for. */
const PAGE_QUERY_MS = 5_000
/** Timeout of reports, exports and cleanup of large tables. */
const REPORT_QUERY_MS = 60_000

export function recordAuthFailures(node: ServerNode): AuthFailures {
  return createAuthFailures({
    db: node.storage.database.withDeadline(PAGE_QUERY_MS),
    limiter: limiterOf(node),
    catalog: () => node.feed.current(),
    log: node.log,
    now: node.clock.now,
    count: (failure) => node.observers.forEach((observer) => observer({ kind: 'auth-failure', failure })),
  })
}

export function controlDeps(
  node: ServerNode,
  environment: Environment,
  { probe, explainRoutes, upstream, webhookClient }: UpstreamAccess,
): Omit<Deps, 'authFailures'> {
  const { withDeadline } = node.storage.database
  const db = withDeadline(PAGE_QUERY_MS)
  const reportsDb = withDeadline(REPORT_QUERY_MS)
  return {
    db,
    reportsDb,
    logs: node.storage.logs.at(db, PAGE_QUERY_MS),
    reportLogs: node.storage.logs.at(reportsDb, REPORT_QUERY_MS),
    vault: node.storage.vault,
    catalog: () => node.feed.current(),
    catchUp: (version) => node.feed.whenVersion(version),
    listener: node.listener,
    limiter: limiterOf(node),
    log: node.log,
    now: node.clock.now,
    upstream,
    webhookClient,
    probe,
    explainRoutes,
    site: {
      version: VERSION,
      startTime: new Date(),
      cell: environment.TIDEGATE_CELL,
      databaseType: node.storage.databaseType,
      trustedProxies: environment.TIDEGATE_TRUSTED_PROXIES,
      apiLimit: {
        count: environment.GLOBAL_API_RATE_LIMIT_ENABLE ? environment.GLOBAL_API_RATE_LIMIT : 0,
        windowSeconds: environment.GLOBAL_API_RATE_LIMIT_DURATION,
      },
      turnstileVerifyUrl: environment.TIDEGATE_TURNSTILE_VERIFY_URL,
      stripeUrl: environment.TIDEGATE_STRIPE_URL,
      signIn: {
        githubUrl: environment.TIDEGATE_GITHUB_URL,
        githubApiUrl: environment.TIDEGATE_GITHUB_API_URL,
        linuxDoUrl: environment.TIDEGATE_LINUXDO_URL,
      },
      generateDefaultToken: environment.GENERATE_DEFAULT_TOKEN,
      allowPrivateFetches: environment.TIDEGATE_ALLOW_PRIVATE_FETCHES,
      notificationLimit: {
        count: environment.NOTIFY_LIMIT_COUNT,
        minutes: environment.NOTIFICATION_LIMIT_DURATION_MINUTE,
      },
    },
  }
}
