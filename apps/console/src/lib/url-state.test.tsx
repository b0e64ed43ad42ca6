import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createBrowserRouter, createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
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

it('applies two changes before a render', async () => {
  const { result, address } = open('/list?page=3')

  await act(async () => {
    result.current.change({ group: 'vip', page: null })
    result.current.change({ keyword: 'sailor', page: null })
  })

  expect(address()).toBe('?group=vip&keyword=sailor')
})

it('starts from the current URL after going back', async () => {
  const { result, address, go } = open('/list')
  await act(async () => result.current.change({ group: 'vip' }))
  await act(async () => go(-1))

  await act(async () => result.current.change({ keyword: 'sailor' }))

  expect(address()).toBe('?keyword=sailor')
})

it('starts from the current URL after going back before a change was rendered', async () => {
  window.history.replaceState(null, '', '/list')
  let router: ReturnType<typeof createBrowserRouter> | undefined
  const wrapper = ({ children }: { children: ReactNode }) => {
    router ??= createBrowserRouter([{ path: '*', element: children }])
    return <RouterProvider router={router} />
  }
  const { result } = renderHook(() => useUrlState(), { wrapper })
  await act(async () => {
    result.current.change({ group: 'vip' })
    await vi.waitFor(() => expect(window.location.search).toBe('?group=vip'))
    window.history.back()
    await vi.waitFor(() => expect(router!.state.location.search).toBe(''))
  })

  await act(async () => result.current.change({ keyword: 'sailor' }))

  expect(window.location.search).toBe('?keyword=sailor')
  router!.dispose()
})
