import type { UpstreamFailure } from '@tidegate/providers'
import { withoutSecrets } from '../http/upstream-error.ts'
import type { Route } from '../route/route-plan.ts'

/** One attempt as an administrator reads it in the log. */
export interface TriedRoute {
  readonly channel: number
  readonly dialect: string
  readonly milliseconds: number
  /** As the vendor sent it; missing for the attempt that was served. */
  readonly status?: number
  /** In the vendor's words, but for the key. */
  readonly reason?: string
}

export function describeAttempt(
  { channel }: Route,
  { dialect }: { readonly dialect: string },
  milliseconds: number,
  failed?: { readonly failure: UpstreamFailure; readonly key: string },
): TriedRoute {
  return {
    channel: channel.id,
    dialect,
    milliseconds,
    ...(failed && { status: failed.failure.status, reason: reasonOf(channel, failed) }),
  }
}

function reasonOf(
  channel: Route['channel'],
  { failure: { kind, error }, key }: { failure: UpstreamFailure; key: string },
): string {
  return `${kind}: ${withoutSecrets(error.message, channel, [key])}`.slice(0, 300)
}
