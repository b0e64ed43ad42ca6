import type { Status } from '@tidegate/contract/api'
import { render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Providers } from '../src/app/providers.tsx'
import { createTestQueryClient } from './query-client.ts'
import { statusQuery } from '../src/api/status.ts'
import { aStatus } from './samples.ts'

interface Options {
  at: string
  /** The route pattern of a page with path parameters. */
  path?: string
  status?: Status
  /** Navigation state of the router. */
  state?: unknown
}

/** Renders one page at a URL with all providers. Other URLs render nothing. */
export function renderScreen(Screen: ComponentType, { at, path, status = aStatus(), state }: Options) {
  const client = createTestQueryClient()
  client.setQueryData(statusQuery.queryKey, status)
  const { pathname, search } = new URL(at, 'http://console.test')
  const router = createMemoryRouter(
    [
      { path: path ?? pathname, Component: Screen },
      { path: '*', element: null },
    ],
    { initialEntries: [{ pathname, search, state }] },
  )
  const view = render(
    <Providers client={client}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, address: () => router.state.location.pathname + router.state.location.search }
}
