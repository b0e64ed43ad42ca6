import { fireEvent, screen } from '@testing-library/react'
import { rememberUser } from '../../../api/session.ts'
import { fakeServer, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aSecurity, aStatus, aUser } from '../../../../test/samples.ts'
import { SecuritySection } from './security-section.tsx'

export const AT = '2026-01-02T03:04:05.000Z'
export const PATH = '/app/me?tab=security'
const HERE = aStatus({ server_address: window.location.origin })

type Routes = Parameters<typeof fakeServer>[0]

/** A server with one signed-in user. `routes` replace or add responses. */
export function aServer(routes: Routes = {}, security = aSecurity(), user = aUser()) {
  rememberUser(user)
  return fakeServer({
    'GET /api/user/security': succeeded(security),
    'GET /api/user/self': succeeded(user),
    'GET /api/user/sessions': succeeded([]),
    'GET /api/user/token/info': succeeded(null),
    'GET /api/user/automation_tokens': succeeded({ items: [], scopes: [] }),
    ...routes,
  })
}

export const open = (at = PATH, status = HERE) => renderScreen(SecuritySection, { at, status })

export const button = (name: string | RegExp) => screen.findByRole('button', { name })

export const press = async (name: string | RegExp) => fireEvent.click(await button(name))

export const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** The requests with a method and path. */
export const sent = (server: ReturnType<typeof fakeServer>, method: string, path: string) =>
  server.seen.filter((request) => request.method === method && request.path === path)
