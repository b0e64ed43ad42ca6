/** Providers as declarative records, and the guarded HTTP client that connects to them. */
export {
  chooseConversation,
  defineProvider,
  type Adapted,
  type AdaptContext,
  type BalanceCheck,
  type Conversation,
  type ModelList,
  type Provider,
} from './provider.ts'
export type { Target } from './target.ts'
export type { Operation, OperationId, Operations, Order, OrderDesk, SingleOperation } from './operation.ts'
export { CHANNEL_TYPES, providerOf } from './registry.ts'
export type {
  Inquiry,
  ReportedStatus,
  TakenOrder,
  TaskKind,
  TaskOrder,
  TaskReport,
  TaskVendor,
  TaskVendors,
} from './task.ts'
export { createUpstreamClient } from './upstream/client.ts'
export type { Deadlines, UpstreamClient, UpstreamOptions, UpstreamRequest, UpstreamResponse } from './upstream/types.ts'
export {
  UpstreamFailure,
  failureFromAnswer,
  failureFromError,
  type FailureClass,
  type FailureKind,
} from './upstream/failure.ts'
export { createMediaFetcher, type FetchedMedia } from './upstream/fetch-media.ts'
export { EgressError, isEgressEntry, requireEgressUnresolved, resolveEgress } from './upstream/egress.ts'
export { isPublicAddress, leadsInside } from './upstream/guard-address.ts'
export { FAILURES } from './upstream/failure.ts'
export { limitEgress } from './upstream/guard-address.ts'
export type { SocketRequest, UpstreamSocket } from './upstream/open-socket.ts'
export { overrideHeaders } from './upstream/override-headers.ts'
export { ByteCollector } from './upstream/read-body.ts'
export { readBody, readJsonBody, readJsonText } from './upstream/read-body.ts'
export { createSigningDesk } from './upstream/request-signer.ts'
export type { Sign, SigningDesk, TradedToken, Unsigned } from './upstream/request-signer.ts'
export { createFileClient, throughWorker } from './upstream/through-worker.ts'
export { VENDOR_FACTS, type Ability, type KeyPlace, type VendorFacts } from './provider-facts.ts'
