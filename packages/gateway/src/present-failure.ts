import type { Settings } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import type { CatalogChannel } from './ports.ts'

/** What the client is told of the last failure: the operator's status for it, and no more words than the operator wants. */
export function presentFailure(
  failure: UpstreamFailure,
  channel: Pick<CatalogChannel, 'statusCodeMapping'>,
  settings: Pick<Settings, 'global.hide_upstream_error_enabled'>,
): UpstreamFailure {
  if (failure.kind === 'aborted') return failure
  return new UpstreamFailure({
    kind: failure.kind,
    status: mappedStatus(failure.status, channel),
    error: { ...failure.error, message: message(failure, settings['global.hide_upstream_error_enabled']) },
    retryAfterSeconds: failure.retryAfterSeconds,
    cause: failure,
  })
}

function mappedStatus(status: number, { statusCodeMapping }: Pick<CatalogChannel, 'statusCodeMapping'>): number {
  const mapped = statusCodeMapping.get(status) ?? status
  return mapped >= 400 && mapped <= 599 ? mapped : 502
}

function message({ status, error, kind }: UpstreamFailure, hidden: boolean): string {
  if (status === 429) return 'The upstream for this group is saturated. Try again later.'
  return hidden && kind === 'status' ? `upstream error with status code ${status}` : error.message
}
