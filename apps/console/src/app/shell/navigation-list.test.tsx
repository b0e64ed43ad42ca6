import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { aStatus, aUser } from '../../../test/samples.ts'
import { newQueryClient } from '../../api/query-client.ts'
import { rememberUser } from '../../api/session.ts'
import { statusQuery } from '../../api/status.ts'
import { Providers } from '../providers.tsx'
import { NavigationList } from './navigation-list.tsx'

it('scrolls the entry of the current page into view', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  rememberUser(aUser({ role: 100 }))
  const client = newQueryClient()
  client.setQueryData(statusQuery.queryKey, aStatus())
  const router = createMemoryRouter([{ path: '*', element: <NavigationList /> }], { initialEntries: ['/app/me'] })
  render(
    <Providers client={client}>
      <RouterProvider router={router} />
    </Providers>,
  )

  const current = await screen.findByRole('link', { current: 'page' })

  expect(scrolled.mock.contexts).toEqual([current])
})
