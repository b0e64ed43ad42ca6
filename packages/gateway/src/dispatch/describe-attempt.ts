import type { UpstreamFailure } from '@tidegate/providers'
import { withoutSecrets } from '../http/upstream-error.ts'
import type { TriedRoute } from '../ports/index.ts'
import type { Route } from '../route/route-plan.ts'

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
