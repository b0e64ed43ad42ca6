import type { ComponentType } from 'react'
import type { Area } from '../lib/i18n.ts'
import type { Guard } from './guards.ts'

/** One address of the console. */
export interface Screen {
  path: string
  guard: Guard
  /** Key under `titles` of the shell's texts. */
  title: TitleKey
  /** Texts the screen needs beside those of the shell. */
  areas: Area[]
  load(): Promise<{ default: ComponentType }>
}

/** What a matched route says about its screen. */
export type ScreenHandle = Pick<Screen, 'guard' | 'title'>

export type TitleKey = keyof typeof import('../locales/zh/shell.ts').default.titles

const screen = (path: string, title: TitleKey, guard: Guard, areas: Area[], load: Screen['load']): Screen => ({
  path,
  title,
  guard,
  areas,
  load,
})

/** Words of every way to sign in, with those of the passkeys. */
const WAYS_IN: Area[] = ['entry', 'proof']

/** Every address, in the order of the product's parts. */
export const SCREENS: readonly Screen[] = [
  screen('/', 'home', 'none', ['home'], () => import('../features/home/home-page.tsx')),
  screen('/setup', 'setup', 'none', ['setup'], () => import('../features/setup/setup-page.tsx')),
  screen('/login', 'login', 'none', ['login', ...WAYS_IN, 'human'], () => import('../features/login/login-page.tsx')),
  screen(
    '/register',
    'register',
    'none',
    ['register', ...WAYS_IN, 'human'],
    () => import('../features/register/register-page.tsx'),
  ),
  screen('/reset', 'reset', 'none', ['reset', 'human'], () => import('../features/reset/reset-page.tsx')),
  screen('/user/reset', 'resetConfirm', 'none', ['reset'], () => import('../features/reset/confirm-page.tsx')),
  ...['github', 'oidc', 'linuxdo', 'telegram'].map((service) =>
    screen(`/oauth/${service}`, 'oauth', 'none', WAYS_IN, () => import('../features/oauth/callback-page.tsx')),
  ),
  screen('/pricing', 'pricing', 'none', ['pricing'], () => import('../features/pricing/pricing-page.tsx')),
  screen(
    '/pricing/:model',
    'pricing',
    'none',
    ['pricing', 'rates'],
    () => import('../features/pricing/model-page.tsx'),
  ),
  screen('/about', 'about', 'none', ['about'], () => import('../features/about/about-page.tsx')),
  screen('/chat/:id?', 'chat', 'none', ['chat'], () => import('../features/chat/chat-page.tsx')),
  screen('/chat2link', 'chat', 'none', ['chat'], () => import('../features/chat/chat-redirect-page.tsx')),

  screen('/app/tokens', 'tokens', 'login', ['tokens'], () => import('../features/tokens/tokens-page.tsx')),
  screen(
    '/playground',
    'playground',
    'login',
    ['playground'],
    () => import('../features/playground/playground-page.tsx'),
  ),
  screen('/admin/channels', 'channels', 'admin', ['channels', 'mapping'], () => import('./channels-screen.tsx')),
  screen('/channel/add', 'channels', 'admin', [], () => import('../features/channels/add-channel-redirect.tsx')),
  screen(
    '/channel/edit/:id',
    'channelEdit',
    'admin',
    [],
    () => import('../features/channels/edit-channel-redirect.tsx'),
  ),
  screen('/admin/coupons', 'coupons', 'admin', ['coupons'], () => import('../features/coupons/coupons-page.tsx')),
  screen('/admin/orders', 'orders', 'admin', ['orders', 'wallet'], () => import('../features/orders/orders-page.tsx')),
  screen('/admin/users', 'users', 'admin', ['users'], () => import('../features/users/users-page.tsx')),
  screen(
    '/admin/users/:id/statement',
    'userStatement',
    'admin',
    ['users', 'wallet'],
    () => import('../features/users/statement/user-statement-page.tsx'),
  ),
  screen('/user/edit/:id?', 'userEdit', 'admin', [], () => import('../features/users/edit-user-redirect.tsx')),
  screen('/admin/audit', 'audit', 'root', ['audit'], () => import('../features/audit/audit-page.tsx')),
  screen(
    '/admin/settings',
    'settings',
    'admin',
    ['settings', 'mapping', 'rates'],
    () => import('./settings-screen.tsx'),
  ),
  screen('/admin/messages', 'messages', 'admin', ['messages'], () => import('../features/messages/messages-page.tsx')),
  screen('/app/me', 'me', 'login', ['me', 'security', ...WAYS_IN, 'human'], () => import('../features/me/me-page.tsx')),
  screen('/app/wallet', 'wallet', 'login', ['wallet', 'human'], () => import('../features/wallet/wallet-page.tsx')),
  screen(
    '/app/wallet/topup-success',
    'topUpResult',
    'login',
    ['wallet'],
    () => import('../features/wallet/topup-success-page.tsx'),
  ),
  screen(
    '/app/logs/api-usage',
    'usageLogs',
    'login',
    ['logs', 'rates'],
    () => import('../features/logs/logs-page.tsx'),
  ),
  screen(
    '/app/logs/request/:requestId',
    'request',
    'login',
    ['request', 'logs', 'rates'],
    () => import('../features/request/request-page.tsx'),
  ),
  screen(
    '/app/logs/drawing',
    'drawingLogs',
    'login',
    ['drawings', 'tasks'],
    () => import('../features/drawings/drawings-page.tsx'),
  ),
  screen(
    '/app/logs/tasks',
    'taskLogs',
    'login',
    ['mediaTasks', 'tasks'],
    () => import('../features/media-tasks/media-tasks-page.tsx'),
  ),
  screen('/app/shadow', 'shadow', 'admin', ['shadow'], () => import('../features/shadow/shadow-page.tsx')),
  screen(
    '/app/dashboard',
    'dashboard',
    'login',
    ['dashboard'],
    () => import('../features/dashboard/dashboard-page.tsx'),
  ),
  screen('/app/inbox', 'inbox', 'login', ['inbox'], () => import('../features/inbox/inbox-page.tsx')),
  screen('/app/inbox/:id', 'message', 'login', ['inbox'], () => import('../features/inbox/message-page.tsx')),

  // The building blocks, for those who build screens. Not part of the product.
  ...(import.meta.env.DEV
    ? [screen('/dev/ui', 'devUi', 'none', [], () => import('../features/dev-ui/dev-ui-page.tsx'))]
    : []),
  screen('*', 'notFound', 'none', [], () => import('../features/not-found/not-found-page.tsx')),
]
