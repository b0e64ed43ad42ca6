/** A place where the product connects to an address that others can influence. */
export interface OutgoingConnection {
  readonly what: string
  readonly influencedBy: 'API callers' | 'users' | 'administrators' | 'providers' | 'the super admin' | 'the operator'
  /** What rejects private addresses, or `not` where they are allowed on purpose. */
  readonly guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES' | 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS' | 'not'
  readonly why: string
  /** Files that request the connection. */
  readonly files: readonly string[]
}

export const OUTGOING_CONNECTIONS: readonly OutgoingConnection[] = [
  {
    what: 'images, audio and documents by URL in requests of every protocol, for providers that do not download them',
    influencedBy: 'API callers',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'a caller could read an internal address through a model',
    files: [
      'packages/gateway/src/chat/inline-media.ts',
      'packages/providers/src/upstream/fetch-media.ts',
      'packages/providers/src/upstream/through-worker.ts',
    ],
  },
  {
    what: 'the result of an image task, served by this server',
    influencedBy: 'providers',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'a provider sets the address, and everyone with the link can read the response',
    files: ['packages/gateway/src/tasks/fetch-result.ts'],
  },
  {
    what: 'webhooks for low balance notifications',
    influencedBy: 'users',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'the start of the response is shown to the user; only https on port 443, no redirects',
    files: ['packages/control/src/messaging/outbox/send-webhook.ts'],
  },
  {
    what: 'push notifications to the push service of a browser',
    influencedBy: 'users',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'a user can register any address as a push service; only https on port 443, no redirects, and only the status of the response is shown',
    files: ['packages/control/src/messaging/push/send-push.ts'],
  },
  {
    what: 'exports of requests to destinations of users',
    influencedBy: 'users',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'the start of the response is shown to the user; only https on port 443, no redirects',
    files: ['packages/control/src/exports/send-deliveries.ts'],
  },
  {
    what: 'exports of requests to destinations of the site',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'as for channels: only the operator can allow a collector in a private network; no redirects',
    files: ['packages/control/src/exports/send-deliveries.ts'],
  },
  {
    what: 'the discovery document that the OpenID settings form reads before it is saved',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'any address can be entered, and fields of the document are shown; no redirects',
    files: ['packages/control/src/auth/oauth/provider-client.ts', 'packages/control/src/settings/discover-oidc.ts'],
  },
  {
    what: 'the headers of a chat page, which say whether the console may show it',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'any address can be entered; only whether it allows frames is shown, and each redirect is checked',
    files: ['packages/control/src/content/check-embedding.ts'],
  },
  {
    what: 'the same files and webhooks through the worker',
    influencedBy: 'users',
    guard: 'not',
    why: 'the worker resolves names in its own network and must check them there; internal host names are rejected before, and its own address is treated like that of a channel',
    files: [
      'packages/providers/src/upstream/through-worker.ts',
      'packages/control/src/messaging/outbox/send-webhook.ts',
    ],
  },
  {
    what: 'requests to channels: chat, operations, realtime sessions, tasks, batches, channel tests',
    influencedBy: 'administrators',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'an administrator can enter any base URL; only the operator can allow a model server in a private network',
    files: [
      'packages/gateway/src/chat/count-prompt.ts',
      'packages/gateway/src/chat/send-chat.ts',
      'packages/gateway/src/operations/send-operation.ts',
      'packages/gateway/src/provider-batches/batch-client.ts',
      'packages/gateway/src/realtime/serve-realtime.ts',
      'packages/gateway/src/tasks/send-task.ts',
      'packages/gateway/src/tasks/fetch-result.ts',
      'packages/control/src/tasks/poll-tasks.ts',
      'packages/providers/src/providers/dify/upload-images.ts',
      'packages/providers/src/providers/iflytek/send-over-socket.ts',
      'packages/providers/src/upstream/client.ts',
      'packages/providers/src/upstream/open-socket.ts',
    ],
  },
  {
    what: 'model lists and balances of channels, also of forms that are not saved',
    influencedBy: 'administrators',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'as above; only model names and a balance of the response are shown',
    files: ['packages/control/src/channels/probe/query-upstream.ts'],
  },
  {
    what: 'the token endpoint that a service account key names',
    influencedBy: 'administrators',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'the address is part of a channel key that an administrator enters',
    files: [
      'packages/providers/src/upstream/request-signer.ts',
      'packages/providers/src/providers/vertex/service-account.ts',
      'packages/providers/src/providers/baidu/access-token.ts',
    ],
  },
  {
    what: 'results that a provider stores at a URL, downloaded into the response',
    influencedBy: 'providers',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'the provider of a channel sets the address and is trusted like the channel',
    files: ['packages/gateway/src/operations/poll-upstream.ts', 'packages/providers/src/providers/dashscope.ts'],
  },
  {
    what: 'the proxy of a channel',
    influencedBy: 'administrators',
    guard: 'not',
    why: 'proxies are usually in a private network; no other address of an administrator may be private',
    files: ['packages/providers/src/upstream/pools.ts'],
  },
  {
    what: 'configured sign-in services: discovery, tokens, keys and profiles of OpenID providers, GitHub, LinuxDO, WeChat',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'an identity provider is often internal; only https or this machine, no redirects, and no response is shown',
    files: [
      'packages/control/src/auth/oauth/provider-client.ts',
      'packages/control/src/auth/oauth/oidc.ts',
      'packages/control/src/auth/oauth/oidc.ts',
      'packages/control/src/auth/oauth/github.ts',
      'packages/control/src/auth/oauth/linuxdo.ts',
      'packages/control/src/auth/oauth/wechat.ts',
    ],
  },
  {
    what: 'payment orders, looked up at the payment gateway',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'one address in the settings, no redirects, and only the payment status is read',
    files: ['packages/control/src/billing/payments/epay.ts'],
  },
  {
    what: 'audit events sent to a webhook',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'audit events must not reach an internal service by mistake; only https on port 443, no redirects',
    files: ['packages/control/src/audit/forward-events.ts'],
  },
  {
    what: 'audit events sent to a syslog collector',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'collectors are usually internal, and their responses are not read',
    files: ['packages/control/src/audit/syslog.ts'],
  },
  {
    what: 'the mail server',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'mail servers are usually internal; users choose recipients, not the server',
    files: ['packages/control/src/messaging/mail/mail.ts'],
  },
  {
    what: 'Stripe, Turnstile, the trace collector, PostgreSQL and Redis',
    influencedBy: 'the operator',
    guard: 'not',
    why: 'the operator sets them in the environment',
    files: [
      'packages/control/src/billing/payments/stripe.ts',
      'packages/control/src/auth/turnstile.ts',
      'apps/server/src/observability/tracing.ts',
    ],
  },
]

/** Addresses that look similar but are opened by browsers or providers, never by this server. */
export const NEVER_OPENED = [
  'URLs of the logo, home and about page, avatars, footers and top-up links: browsers open them',
  'image URLs for providers that download them, and notify URLs of tasks: the provider opens them',
  'notify and return URLs of payments: the payment gateway opens them',
]
