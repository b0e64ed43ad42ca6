/** A place where the product connects to an address that other people can influence. */
export interface OutgoingConnection {
  readonly what: string
  readonly influencedBy:
    | 'anybody with a key'
    | 'users'
    | 'administrators'
    | 'vendors'
    | 'the super admin'
    | 'the operator'
  /** What rejects private addresses, or `not` where they are allowed on purpose. */
  readonly guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES' | 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS' | 'not'
  readonly why: string
  /** Files that request the connection. */
  readonly files: readonly string[]
}

export const OUTGOING_CONNECTIONS: readonly OutgoingConnection[] = [
  {
    what: 'pictures, sound and documents named in the bodies of every dialect, for vendors that do not fetch them',
    influencedBy: 'anybody with a key',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'a user who names an address would read what is behind it by asking a model',
    files: [
      'packages/gateway/src/chat/inline-media.ts',
      'packages/providers/src/upstream/fetch-media.ts',
      'packages/providers/src/upstream/through-worker.ts',
    ],
  },
  {
    what: 'the picture of a drawing, shown by this server',
    influencedBy: 'vendors',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'a vendor names the address, and anybody who was given the link reads the answer',
    files: ['packages/gateway/src/tasks/fetch-result.ts'],
  },
  {
    what: 'webhooks that tell users of a low balance',
    influencedBy: 'users',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'the beginning of the answer is shown to the user; https on port 443 only, and no redirects',
    files: ['packages/control/src/messaging/outbox/send-webhook.ts'],
  },
  {
    what: 'the discovery document that the settings form of OpenID reads before anything is saved',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'any address may be typed, and what a document names is shown; no redirects',
    files: ['packages/control/src/auth/oauth/provider-client.ts', 'packages/control/src/settings/discover-oidc.ts'],
  },
  {
    what: 'the same files and webhooks by way of the worker',
    influencedBy: 'users',
    guard: 'not',
    why: 'the worker resolves names in its own network and has to check them there; hosts that can only be inside are refused before it is asked, and its own address is dialled like that of a channel',
    files: [
      'packages/providers/src/upstream/through-worker.ts',
      'packages/control/src/messaging/outbox/send-webhook.ts',
    ],
  },
  {
    what: 'calls to channels: conversations, operations, sessions, tasks, tests of channels',
    influencedBy: 'administrators',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'an administrator may enter any base address; a model server on the own network is the operator’s to allow',
    files: [
      'packages/gateway/src/chat/send-chat.ts',
      'packages/gateway/src/operations/send-operation.ts',
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
    why: 'as above; of the answer only model names and a balance are shown',
    files: ['packages/control/src/channels/probe/query-upstream.ts'],
  },
  {
    what: 'where keys are traded for tokens, which a service account names itself',
    influencedBy: 'administrators',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'the address is part of a key that an administrator enters',
    files: [
      'packages/providers/src/upstream/request-signer.ts',
      'packages/providers/src/providers/vertex/service-account.ts',
      'packages/providers/src/providers/baidu/access-token.ts',
    ],
  },
  {
    what: 'what a vendor made and put somewhere, fetched to be answered in one piece',
    influencedBy: 'vendors',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_UPSTREAMS',
    why: 'the vendor of a channel names the address, and is trusted as far as the channel is',
    files: ['packages/gateway/src/operations/poll-upstream.ts', 'packages/providers/src/providers/dashscope.ts'],
  },
  {
    what: 'the proxy of a channel',
    influencedBy: 'administrators',
    guard: 'not',
    why: 'proxies are most often on the own network; it is the one address an administrator can point inside with',
    files: ['packages/providers/src/upstream/pools.ts'],
  },
  {
    what: 'sign-in services that are set: descriptions, tokens, keys and profiles of OpenID providers, GitHub, LinuxDO, WeChat',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'an identity provider is often inside a company; https or this machine only, no redirects, and no answer is shown',
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
    what: 'orders looked up at a payment gateway; its callbacks come in and nothing is called back',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'one address in the settings, no redirects, and only whether an order is paid is read',
    files: ['packages/control/src/billing/payments/epay.ts'],
  },
  {
    what: 'audit events sent to a webhook',
    influencedBy: 'the super admin',
    guard: 'by TIDEGATE_ALLOW_PRIVATE_FETCHES',
    why: 'audit events must not reach a service inside by mistake; https on port 443 only, and no redirects',
    files: ['packages/control/src/audit/forward-events.ts'],
  },
  {
    what: 'audit events sent to a syslog collector',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'collectors are most often inside; nothing of what they send back is read',
    files: ['packages/control/src/audit/syslog.ts'],
  },
  {
    what: 'the mail server',
    influencedBy: 'the super admin',
    guard: 'not',
    why: 'mail servers are most often inside; users choose recipients, never the server',
    files: ['packages/control/src/messaging/mail/mail.ts'],
  },
  {
    what: 'Stripe, the human check, the collector of traces, PostgreSQL and Redis',
    influencedBy: 'the operator',
    guard: 'not',
    why: 'set in the environment of the process by the operator',
    files: [
      'packages/control/src/billing/payments/stripe.ts',
      'packages/control/src/auth/turnstile.ts',
      'apps/server/src/observability/tracing.ts',
    ],
  },
]

/** Addresses that look similar but are opened by browsers or providers, never by this server. */
export const NEVER_OPENED = [
  'logo, home and about pages that are an address, avatars, footers and top-up links: browsers open them',
  'pictures named to a vendor that fetches them itself, and the notify addresses of tasks: the vendor opens them',
  'notify and return addresses of payments: the payment gateway calls them',
]
