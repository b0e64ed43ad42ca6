import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Providers } from '../src/app/providers.tsx'
import { createTestQueryClient } from './query-client.ts'

/** Renders a component with a router and all providers. */
export function renderPart(part: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element: part }])
  return render(
    <Providers client={createTestQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
}
