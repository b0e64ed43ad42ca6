import { afterEach, expect, it, vi } from 'vitest'
import { setToastHost, toast, type Toast } from './toast.ts'

let removeHost = () => {}
afterEach(() => removeHost())

function addHost(): Record<keyof Toast, ReturnType<typeof vi.fn>> {
  const host = { success: vi.fn(), error: vi.fn(), info: vi.fn(), undo: vi.fn() }
  removeHost = setToastHost(host)
  return host
}

it('queues messages until a host is registered', () => {
  toast.error('Unable to connect to server')
  toast.info('Ready')

  const host = addHost()

  expect(host.error.mock.calls).toEqual([['Unable to connect to server']])
  expect(host.info.mock.calls).toEqual([['Ready']])
})

it('shows a queued message only once', () => {
  toast.success('Saved')
  addHost()
  removeHost()

  const later = addHost()

  expect(later.success).not.toHaveBeenCalled()
})

it('keeps the newer host when an older one is removed', () => {
  addHost()
  const removeOlder = removeHost
  const newer = addHost()

  removeOlder()
  toast.success('Saved')

  expect(newer.success.mock.calls).toEqual([['Saved']])
})
