import { afterEach, expect, it, vi } from 'vitest'
import { setToastHost, toast, type Toast } from './toast.ts'

let unplug = () => {}
afterEach(() => unplug())

function plugIn(): Record<keyof Toast, ReturnType<typeof vi.fn>> {
  const host = { success: vi.fn(), error: vi.fn(), info: vi.fn(), undo: vi.fn() }
  unplug = setToastHost(host)
  return host
}

it('keeps what is said while the console starts, and says it once it can be drawn', () => {
  toast.error('Unable to connect to server')
  toast.info('Ready')

  const host = plugIn()

  expect(host.error.mock.calls).toEqual([['Unable to connect to server']])
  expect(host.info.mock.calls).toEqual([['Ready']])
})

it('says a thing only once, whoever draws it', () => {
  toast.success('Saved')
  plugIn()
  unplug()

  const later = plugIn()

  expect(later.success).not.toHaveBeenCalled()
})

it('is not silenced when an older host leaves after a newer one came', () => {
  plugIn()
  const leave = unplug
  const newer = plugIn()

  leave()
  toast.success('Saved')

  expect(newer.success.mock.calls).toEqual([['Saved']])
})
