/** Vendors as records, and the one guarded HTTP client that talks to them. */
export { defineProvider, type ChatCapability, type Provider, type Target } from './provider.ts'
export { CHANNEL_TYPES, providerOf } from './registry.ts'
export {
  createUpstreamClient,
  type Deadlines,
  type UpstreamClient,
  type UpstreamOptions,
  type UpstreamRequest,
  type UpstreamResponse,
} from './upstream/client.ts'
export { UpstreamFailure, failureFromAnswer, type FailureClass, type FailureKind } from './upstream/failure.ts'
export { isPublicAddress } from './upstream/guard-address.ts'
export { FAILURES } from './upstream/name-failure.ts'
export { readBody } from './upstream/read-body.ts'
