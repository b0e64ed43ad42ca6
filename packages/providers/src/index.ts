/** Providers as declarative records, and the guarded HTTP client that connects to them. */
export {
  chooseChatApi,
  defineProvider,
  type RequestAdaptation,
  type AdaptContext,
  type BalanceQuery as BalanceCheck,
  type ChatApi,
  type ModelList,
  type Provider,
} from './provider.ts'
export type { BatchApi, UpstreamBatch, UpstreamLine, UpstreamResult } from './batch.ts'
export { endpoint, type Target } from './target.ts'
export type {
  Operation,
  OperationId,
  Operations,
  OperationPolling,
  PollingContext,
  HttpOperation,
} from './operation.ts'
export { CHANNEL_TYPES, providerOf } from './registry.ts'
export type {
  PollRequest,
  UpstreamTaskStatus,
  TaskSubmission,
  TaskKind,
  UpstreamTaskRequest,
  TaskReport,
  TaskApi,
  TaskApis,
} from './task.ts'
export {
  prepareRequest,
  targetOf,
  upstreamRequest,
  type ChannelRequest,
  type UpstreamChannel,
} from './upstream-request.ts'
export { createUpstreamClient } from './upstream/client.ts'
export type {
  Deadlines,
  PreparedRequest,
  UpstreamClient,
  UpstreamExchange,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamResponse,
} from './upstream/types.ts'
export {
  FAILURE_CLASSES,
  UpstreamFailure,
  errorInBody,
  failureFromResponse,
  failureFromError,
  rejectsThinking,
  type FailureClass,
  type FailureKind,
} from './upstream/failure.ts'
export { createMediaFetcher, type FetchedMedia } from './upstream/fetch-media.ts'
export { EgressError, isEgressEntry, requireEgressUnresolved, resolveEgress } from './upstream/egress.ts'
export { isPublicAddress, isInternalHost } from './upstream/guard-address.ts'
export { FAILURES } from './upstream/failure.ts'
export { limitEgress } from './upstream/guard-address.ts'
export type { SocketRequest, UpstreamSocket } from './upstream/open-socket.ts'
export { ByteCollector } from './upstream/read-body.ts'
export { checkStatus, readBody, readChunks, readJsonBody, readJsonText } from './upstream/read-body.ts'
export { createRequestSigner } from './upstream/request-signer.ts'
export type { SignRequest, RequestSigner, AccessToken, UnsignedRequest } from './upstream/request-signer.ts'
export { signS3Upload, type S3Object } from './sign-s3.ts'
export { createFileClient, workerRequest } from './upstream/through-worker.ts'
export { PROVIDER_FACTS, type Capability, type KeyLocation, type ProviderFacts } from './provider-facts.ts'
