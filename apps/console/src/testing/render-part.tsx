import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Providers } from '../app/providers.tsx'
import { newQueryClient } from '../lib/query-client.ts'

/** Draws a piece of a screen with everything around it that it may ask for. */
export function renderPart(part: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element: part }])
  return render(
    <Providers client={newQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
}
