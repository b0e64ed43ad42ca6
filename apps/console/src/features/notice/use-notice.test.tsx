import { act, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, it } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { newQueryClient } from '../../lib/query-client.ts'
import { fakeServer, succeeded } from '../../testing/fake-server.ts'
import { useNotice } from './use-notice.ts'

const read = (text: string, { enabled = true, pathname = '/', search = '' } = {}) => {
  const { seen } = fakeServer({ 'GET /api/notice': succeeded(text) })
  const client = newQueryClient()
  const wrapper = ({ children }: PropsWithChildren) => <Providers client={client}>{children}</Providers>
  return { seen, ...renderHook(() => useNotice({ enabled, pathname, search }), { wrapper }) }
}

it('opens for a text that was not read yet, and for the next one', async () => {
  const first = read('high tide')
  await waitFor(() => expect(first.result.current.isOpen).toBe(true))
  act(() => first.result.current.close())
  expect(first.result.current.isOpen).toBe(false)

  const again = read('high tide')
  await waitFor(() => expect(again.result.current.text).toBe('high tide'))
  expect(again.result.current.isOpen).toBe(false)
  act(() => again.result.current.open())
  expect(again.result.current.isOpen).toBe(true)

  const next = read('low tide')
  await waitFor(() => expect(next.result.current.isOpen).toBe(true))
})

it('stays closed while there is nothing to say, and asks nobody before the site is set up', async () => {
  const blank = read('  ')
  await waitFor(() => expect(blank.seen).toHaveLength(1))
  expect(blank.result.current).toMatchObject({ text: '', isOpen: false })

  expect(read('a', { enabled: false }).seen).toEqual([])
})

it.each([{ pathname: '/admin/channels' }, { pathname: '/app/tokens', search: '?drawer=create' }])(
  'does not interrupt a link to %o, and can be opened there',
  async (place) => {
    const { result } = read('storm warning', place)
    await waitFor(() => expect(result.current.text).toBe('storm warning'))
    expect(result.current.isOpen).toBe(false)

    act(() => result.current.open())

    expect(result.current.isOpen).toBe(true)
  },
)
