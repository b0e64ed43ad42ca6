import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { useUrlState } from './url-state.ts'

function open(address: string) {
  let router: ReturnType<typeof createMemoryRouter> | undefined
  const wrapper = ({ children }: { children: ReactNode }) => {
    router ??= createMemoryRouter([{ path: '*', element: children }], { initialEntries: [address] })
    return <RouterProvider router={router} />
  }
  const { result } = renderHook(() => useUrlState(), { wrapper })
  return { result, address: () => router!.state.location.search, go: (steps: number) => router!.navigate(steps) }
}

it('keeps both of two changes that follow each other at once', async () => {
  const { result, address } = open('/list?page=3')

  await act(async () => {
    result.current.change({ group: 'vip', page: null })
    result.current.change({ keyword: 'sailor', page: null })
  })

  expect(address()).toBe('?group=vip&keyword=sailor')
})

it('starts from the address again once it was shown, also after going back', async () => {
  const { result, address, go } = open('/list')
  await act(async () => result.current.change({ group: 'vip' }))
  await act(async () => go(-1))

  await act(async () => result.current.change({ keyword: 'sailor' }))

  expect(address()).toBe('?keyword=sailor')
})
