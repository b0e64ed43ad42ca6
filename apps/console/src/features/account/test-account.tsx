import type { Delivery, Status, User } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import type { ComponentType, ReactNode } from 'react'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aSecurity, aStatus, aUser } from '../../../test/samples.ts'
import AccountPage from './account-page.tsx'
import { selfQuery } from './api.ts'

interface Options {
  at?: string
  user?: Partial<User>
  status?: Partial<Status>
  routes?: Parameters<typeof fakeServer>[0]
}

/** Opens the account page. `sent` returns the requests with a method and path. */
export const openAccount = (options?: Options) => open(AccountPage, options)

/** Opens one part of the page, which renders faster. */
export const openPart = (part: (user: User) => ReactNode, options?: Options) =>
  open(function Part() {
    const { data } = useQuery(selfQuery)
    return data && part(data)
  }, options)

function open(Screen: ComponentType, { at = '', user = {}, status = {}, routes = {} }: Options = {}) {
  const server = fakeServer({
    'GET /api/user/self': succeeded(aUser(user)),
    'GET /api/user/models': succeeded(['gpt-4o']),
    'GET /api/user/security': succeeded(aSecurity()),
    'GET /api/user/sessions': succeeded([]),
    'GET /api/user/token/info': succeeded(null),
    'GET /api/user/automation_tokens': succeeded({ items: [], scopes: [] }),
    'GET /api/user/deliveries': succeeded(pageOf([])),
    'GET /api/user/push': succeeded({ public_key: 'BAAA', devices: [] }),
    'GET /api/user/aff': succeeded('TIDE2233'),
    'GET /api/user/check_in_status': succeeded({ can_check_in: true, next_check_in_at: '2026-11-16T00:00:00.000Z' }),
    'PUT /api/user/setting': succeeded(),
    ...routes,
  })
  const view = renderScreen(Screen, { at: `/app/me${at}`, status: aStatus(status) })
  const sent = (call: string) => server.seen.filter(({ method, path }) => `${method} ${path}` === call)
  return { ...view, sent }
}

/** A user with these settings stored. */
export const withSetting = (setting: Record<string, unknown>) => ({ setting: JSON.stringify(setting) })

export const pageOf = (items: Delivery[], total = items.length) => ({ items, total, page: 1, page_size: 10 })

export const aDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: 5,
  kind: 'webhook',
  type: 'quota_exceed',
  title: '余额不足提醒',
  target: 'https://hooks.example/in',
  status: 'delivered',
  attempts: 1,
  response_status: 200,
  response_body: 'ok',
  error: '',
  created_at: '2026-11-15T08:00:00.000Z',
  last_attempt_at: '2026-11-15T08:00:01.000Z',
  next_attempt_at: null,
  ...changes,
})

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
export const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
