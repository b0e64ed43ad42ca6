import type { Status } from '@tidegate/contract/api'
import type { ComponentType } from 'react'
import { matchPath, useMatches } from 'react-router'
import type { Session } from '../api/session.ts'
import type { TextFile, Texts } from '../locales/texts.ts'
import { redirectFor, type Guard } from './guards.ts'

/** A page of the console. */
export interface Screen {
  path: string
  guard: Guard
  /** Key under `titles` of the texts. */
  title: TitleKey
  /** Text files that the page needs besides `app`. */
  texts: readonly TextFile[]
  /** The page of the documentation about it. */
  help?: string | undefined
  load(): Promise<{ default: ComponentType }>
}

/** The handle of a matched route. */
export type ScreenHandle = Pick<Screen, 'guard' | 'title' | 'help'>

export type TitleKey = keyof Texts['shell']['titles']

/** Pages of the documentation by title. */
const HELP: Partial<Record<TitleKey, string>> = {
  home: 'get-started/connect',
  about: 'get-started/connect',
  setup: 'get-started/quick-start#set-up-in-the-browser',
  login: 'guides/troubleshoot#login-and-console',
  register: 'guides/sign-in#who-gets-an-account',
  reset: 'guides/troubleshoot#login-and-console',
  resetConfirm: 'guides/troubleshoot#login-and-console',
  oauth: 'guides/sign-in#if-a-login-fails',
  notFound: 'guides/troubleshoot',
  chat: 'guides/chat-links',
  tokens: 'get-started/connect',
  playground: 'get-started/code-samples',
  dashboard: 'guides/operate#a-daily-check',
  channels: 'guides/channels-and-failover',
  channelEdit: 'guides/channels-and-failover',
  coupons: 'guides/payments#redemption-codes',
  orders: 'guides/payments',
  users: 'guides/teams',
  userEdit: 'guides/teams',
  userStatement: 'concepts/money',
  audit: 'guides/secure#audit-trail',
  prices: 'guides/price-models',
  pricing: 'guides/price-models#what-your-users-see',
  settings: 'guides/operate#first-settings',
  messages: 'guides/notifications',
  inbox: 'guides/notifications',
  message: 'guides/notifications',
  me: 'guides/secure',
  wallet: 'concepts/money',
  topUpResult: 'guides/payments#check-that-it-works',
  usageLogs: 'concepts/logs',
  request: 'concepts/logs#find-one-request',
  drawingLogs: 'reference/endpoints#tasks',
  taskLogs: 'reference/endpoints#tasks',
  batches: 'guides/batches',
  exports: 'guides/exports',
  siteExports: 'guides/exports',
  shadow: 'guides/shadow-mode',
}

const screen = (
  path: string,
  title: TitleKey,
  guard: Guard,
  load: Screen['load'],
  texts: readonly TextFile[] = [],
): Screen => ({
  path,
  title,
  guard,
  load,
  texts: guard === 'none' ? texts : ['console', ...texts],
  help: HELP[title],
})

/** All pages. */
export const SCREENS: readonly Screen[] = [
  screen('/', 'home', 'none', () => import('../features/home/home-page.tsx')),
  screen('/setup', 'setup', 'none', () => import('../features/auth/setup/setup-page.tsx')),
  screen('/login', 'login', 'none', () => import('../features/auth/login/login-page.tsx')),
  screen('/register', 'register', 'none', () => import('../features/auth/register/register-page.tsx')),
  screen('/reset', 'reset', 'none', () => import('../features/auth/reset-password/reset-page.tsx')),
  screen('/user/reset', 'resetConfirm', 'none', () => import('../features/auth/reset-password/confirm-page.tsx')),
  ...['github', 'oidc', 'linuxdo', 'telegram'].map((service) =>
    screen(`/oauth/${service}`, 'oauth', 'none', () => import('../features/auth/oauth-callback/callback-page.tsx')),
  ),
  screen('/pricing', 'pricing', 'none', () => import('../features/pricing/pricing-page.tsx')),
  screen('/pricing/:model', 'pricing', 'none', () => import('../features/pricing/model-page.tsx')),
  screen('/about', 'about', 'none', () => import('../features/home/about/about-page.tsx')),
  screen('/chat/:id?', 'chat', 'none', () => import('../features/chat/chat-page.tsx')),
  screen('/chat2link', 'chat', 'none', () => import('../features/chat/chat-redirect-page.tsx')),

  screen('/app/tokens', 'tokens', 'login', () => import('../features/tokens/tokens-page.tsx')),
  screen('/playground', 'playground', 'login', () => import('../features/playground/playground-page.tsx')),
  screen('/admin/channels', 'channels', 'admin', () => import('./channels-screen.tsx'), ['admin']),
  screen('/channel/add', 'channels', 'admin', () => import('../features/channels/add-channel-redirect.tsx')),
  screen('/channel/edit/:id', 'channelEdit', 'admin', () => import('../features/channels/edit-channel-redirect.tsx')),
  screen('/admin/coupons', 'coupons', 'admin', () => import('../features/redemption-codes/codes-page.tsx'), ['admin']),
  screen('/admin/orders', 'orders', 'admin', () => import('../features/payment-orders/orders-page.tsx'), ['admin']),
  screen('/admin/users', 'users', 'admin', () => import('../features/users/users-page.tsx'), ['admin']),
  screen('/admin/users/:id/statement', 'userStatement', 'admin', () => import('../features/users/statement-page.tsx'), [
    'admin',
  ]),
  screen('/user/edit/:id?', 'userEdit', 'admin', () => import('../features/users/edit-user-redirect.tsx')),
  screen('/admin/audit', 'audit', 'root', () => import('../features/audit-log/audit-page.tsx'), ['admin']),
  screen('/admin/prices', 'prices', 'admin', () => import('./prices-screen.tsx'), ['admin', 'settings']),
  screen('/admin/settings', 'settings', 'admin', () => import('./settings-screen.tsx'), ['admin', 'settings']),
  screen('/admin/messages', 'messages', 'admin', () => import('../features/messages/messages-page.tsx'), ['admin']),
  screen('/app/me', 'me', 'login', () => import('../features/account/account-page.tsx')),
  screen('/app/wallet', 'wallet', 'login', () => import('../features/wallet/wallet-page.tsx')),
  screen(
    '/app/wallet/topup-success',
    'topUpResult',
    'login',
    () => import('../features/wallet/topup-success-page.tsx'),
  ),
  screen('/app/logs/api-usage', 'usageLogs', 'login', () => import('../features/logs/logs-page.tsx')),
  screen('/app/logs/request/:requestId', 'request', 'login', () => import('../features/logs/request-page.tsx')),
  screen('/app/logs/drawing', 'drawingLogs', 'login', () => import('../features/tasks/image-tasks-page.tsx')),
  screen('/app/logs/tasks', 'taskLogs', 'login', () => import('../features/tasks/media-tasks-page.tsx')),
  screen('/app/batches', 'batches', 'login', () => import('../features/batches/batches-page.tsx')),
  screen('/app/exports', 'exports', 'login', () => import('../features/exports/exports-page.tsx'), ['exports']),
  screen('/admin/exports', 'siteExports', 'root', () => import('../features/exports/site-exports-page.tsx'), [
    'exports',
  ]),
  screen('/app/shadow', 'shadow', 'admin', () => import('../features/shadow/shadow-page.tsx'), ['admin', 'shadow']),
  screen('/app/dashboard', 'dashboard', 'login', () => import('../features/dashboard/dashboard-page.tsx')),
  screen('/app/inbox', 'inbox', 'login', () => import('../features/inbox/inbox-page.tsx')),
  screen('/app/inbox/:id', 'message', 'login', () => import('../features/inbox/message-page.tsx')),

  // Shows the UI components during development.
  ...(import.meta.env.DEV
    ? [screen('/dev/ui', 'devUi', 'none', () => import('../features/dev-ui/dev-ui-page.tsx'))]
    : []),
  screen('*', 'notFound', 'none', () => import('./not-found-page.tsx')),
]

/** The page of the current URL. */
export function useScreen(): ScreenHandle {
  const matches = useMatches()
  return (matches.at(-1)?.handle as ScreenHandle | undefined) ?? { guard: 'none', title: 'notFound' }
}

/** Where the first request is redirected, or null. */
export function startingPath(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  status: Status,
  session: Session,
): string | null {
  const screen = SCREENS.find(({ path }) => matchPath(path, pathname))
  return redirectFor({ pathname, search, guard: screen?.guard ?? 'none' }, status, session)
}
