import type { CanonicalRequest, Dialect, RequestHead } from '@tidegate/dialects'
import type { MediaFetcher } from '../ports/index.ts'
import { inlineMedia } from './inline-media.ts'

/** The canonical form of a call's request, made when it is first needed and kept for further attempts. */
export interface CanonicalSource {
  asGiven(): CanonicalRequest
  /** With everything the client only pointed to. */
  inlined(signal: AbortSignal): Promise<CanonicalRequest>
}

export function canonicalSource(
  dialect: Dialect,
  head: RequestHead,
  fetchMedia: MediaFetcher | undefined,
): CanonicalSource {
  let given: CanonicalRequest | undefined
  let whole: Promise<CanonicalRequest> | undefined
  const asGiven = () => (given ??= dialect.decodeRequest(head))
  return {
    asGiven,
    inlined: (signal) => (whole ??= inlineMedia(asGiven(), fetchMedia, signal)),
  }
}
