/** Fakes, databases and helpers that tests of every package share. */
export * from './api-client.ts'
export * from './clickhouse.ts'
export * from './databases/throw-away-database.ts'
export * from './databases/throw-away-redis.ts'
export * from './factories.ts'
export * from './fake-browser-push.ts'
export { startFakeGitHub, type FakeGitHub, type GitHubAccount } from './fake-providers/oauth/fake-github.ts'
export { startFakeLinuxDo, type FakeLinuxDo, type LinuxDoAccount } from './fake-providers/oauth/fake-linuxdo.ts'
export {
  followAuthorization,
  type FakeService,
  type ServiceRequest,
  type ProviderFault,
} from './fake-providers/oauth/json-server.ts'
export {
  startOidcProvider,
  type IdTokenChange,
  type OidcProvider,
  type OidcProviderOptions,
} from './fake-providers/oauth/oidc-provider.ts'
export {
  signTelegram,
  startFakeWeChatHelper,
  type FakeWeChatHelper,
} from './fake-providers/oauth/wechat-and-telegram.ts'
export * from './fake-providers/payments/fake-epay.ts'
export * from './fake-providers/payments/fake-stripe.ts'
export {
  FAKE_IMAGE,
  FAKE_SONG,
  FAKE_VIDEO,
  fakeTaskProvider,
  type FakeTaskProvider,
  type ReceivedPoll,
  type ReceivedSubmission,
} from './fake-providers/tasks/fake-task-provider.ts'
export type {
  FakeTaskKind,
  FakeTaskStatus,
  PollScript,
  SubmissionScript,
  TaskStep,
} from './fake-providers/tasks/task-store.ts'
export * from './fake-providers/turnstile.ts'
export type { FakeBatch, FakeBatches } from './fake-upstream/batches/batch-store.ts'
export { fakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './fake-upstream/fake-upstream.ts'
export { PROVIDER_COUNT } from './fake-upstream/openai-operations.ts'
export { countTokens } from './fake-upstream/tokens.ts'
export type {
  FinishReason,
  Framing,
  ReceivedRequest,
  Script,
  ScriptOrFunction,
  ScriptedImage,
  ScriptedToolCall,
  SentResponse,
  TokenCounts,
  UsagePlacement,
  ProtocolId,
} from './fake-upstream/types.ts'
export * from './mailbox.ts'
export * from './self-signed.ts'
export * from './server.ts'
export * from './services.ts'
export * from './software-passkey.ts'
export * from './tcp-proxy.ts'
export * from './webhook-receiver.ts'
