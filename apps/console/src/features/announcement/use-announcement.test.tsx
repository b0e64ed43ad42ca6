import { act, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, it } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { createTestQueryClient } from '../../../test/query-client.ts'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { statusQuery } from '../../api/status.ts'
import { aStatus } from '../../../test/samples.ts'
import { plainLine } from './announcement-bar.tsx'
import { useAnnouncement } from './use-announcement.ts'

const read = (text: string, { enabled = true, pathname = '/', search = '', isModal = false } = {}) => {
  const { seen } = fakeServer({ 'GET /api/notice': succeeded(text) })
  const client = createTestQueryClient()
  client.setQueryData(statusQuery.queryKey, aStatus({ announcement_modal_enabled: isModal }))
  const wrapper = ({ children }: PropsWithChildren) => <Providers client={client}>{children}</Providers>
  return { seen, ...renderHook(() => useAnnouncement({ enabled, pathname, search }), { wrapper }) }
}

it('shows a bar on every page until the text is dismissed, and again for the next text', async () => {
  const first = read('high tide', { pathname: '/admin/channels' })
  await waitFor(() => expect(first.result.current.hasBar).toBe(true))
  expect(first.result.current.isOpen).toBe(false)
  act(() => first.result.current.open())
  expect(first.result.current.isOpen).toBe(true)
  act(() => first.result.current.close())
  expect(first.result.current).toMatchObject({ hasBar: false, isOpen: false })

  const again = read('high tide')
  await waitFor(() => expect(again.result.current.text).toBe('high tide'))
  expect(again.result.current.hasBar).toBe(false)

  const next = read('low tide')
  await waitFor(() => expect(next.result.current.hasBar).toBe(true))
})

it('opens a dialog on a landing page if the operator chose that', async () => {
  const { result } = read('storm warning', { isModal: true })

  await waitFor(() => expect(result.current.isOpen).toBe(true))
  expect(result.current.hasBar).toBe(false)
})

it.each([{ pathname: '/admin/channels' }, { pathname: '/app/tokens', search: '?drawer=create' }])(
  'does not open a dialog over %o',
  async (place) => {
    const { result } = read('storm warning', { ...place, isModal: true })
    await waitFor(() => expect(result.current.text).toBe('storm warning'))
    expect(result.current.isOpen).toBe(false)

    act(() => result.current.open())

    expect(result.current.isOpen).toBe(true)
  },
)

it('shows nothing without a text, and makes no request before the site is set up', async () => {
  const blank = read('  ')
  await waitFor(() => expect(blank.seen).toHaveLength(1))
  expect(blank.result.current).toMatchObject({ text: '', hasBar: false, isOpen: false })

  expect(read('a', { enabled: false }).seen).toEqual([])
})

it.each([
  ['# Maintenance\n\nOn **Sunday**, see [the plan](https://status.example).', 'Maintenance On Sunday , see the plan.'],
  ['<style>p{}</style><p>New models</p>', 'New models'],
  ['https://status.example/page', ''],
])('writes %j in one line', (text, line) => {
  expect(plainLine(text)).toBe(line)
})
