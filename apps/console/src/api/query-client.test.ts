import { afterEach, describe, expect, it, vi } from 'vitest'
import { toast } from '../lib/toast.ts'
import { newQueryClient } from './query-client.ts'

afterEach(() => vi.restoreAllMocks())

/** Loads a query once with success and once with an error; returns the toasts. */
async function failedReload(meta: { showsErrors?: boolean }) {
  const shown = vi.spyOn(toast, 'error').mockImplementation(() => {})
  const client = newQueryClient()
  const load = vi.fn().mockResolvedValueOnce('data').mockRejectedValue(new Error('no disk space'))
  const options = { queryKey: ['disk'], queryFn: load, staleTime: 0, meta }
  await client.fetchQuery(options)
  await client.fetchQuery(options).catch(() => {})
  expect(load).toHaveBeenCalledTimes(2)
  return shown.mock.calls.length
}

describe('a failed reload', () => {
  it('shows a toast', async () => {
    expect(await failedReload({})).toBe(1)
  })

  it('shows no toast if the page shows errors itself', async () => {
    expect(await failedReload({ showsErrors: true })).toBe(0)
  })
})
