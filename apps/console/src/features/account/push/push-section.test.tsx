import type { PushDevice } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aDelivery, openPart, press } from '../test-account.tsx'
import { PushSection } from './push-section.tsx'

const ENDPOINT = 'https://push.example/secret'
const PUBLIC_KEY = 'BAAA'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'
const SUBSCRIBE = 'POST /api/user/push'
const REMOVE = 'DELETE /api/user/push'
const TEST = 'POST /api/user/push/test'

const aDevice = (changes: Partial<PushDevice> = {}): PushDevice => ({
  id: 3,
  endpoint_hash: createHash('sha256').update(ENDPOINT).digest('hex'),
  host: 'push.example',
  user_agent: CHROME,
  created_at: '2026-11-15T08:00:00.000Z',
  last_success_at: null,
  ...changes,
})
const otherDevice = aDevice({ id: 4, endpoint_hash: 'f'.repeat(64), user_agent: IPHONE })

interface FakeBrowser {
  permission?: NotificationPermission
  /** The user's response to the permission prompt. */
  choice?: NotificationPermission
  isSubscribed?: boolean
  subscribeError?: Error
}

/** Adds the push APIs to jsdom. */
function fakeBrowser({
  permission = 'default',
  choice = 'granted',
  isSubscribed = false,
  subscribeError,
}: FakeBrowser) {
  const unsubscribe = vi.fn(async () => {
    current = null
    return true
  })
  const subscription = {
    endpoint: ENDPOINT,
    options: { applicationServerKey: Uint8Array.of(4, 0, 0).buffer },
    getKey: (name: string) => Uint8Array.of(name === 'auth' ? 1 : 4).buffer,
    unsubscribe,
  }
  let current = isSubscribed ? subscription : null
  const subscribe = vi.fn(async () => {
    if (subscribeError) throw subscribeError
    return (current = subscription)
  })
  const registration = { pushManager: { getSubscription: async () => current, subscribe } }
  const serviceWorker = {
    getRegistration: async () => registration,
    register: vi.fn(async () => registration),
    ready: Promise.resolve(registration),
  }
  const notification = {
    permission,
    requestPermission: vi.fn(async () => (notification.permission = choice)),
  }
  vi.stubGlobal('navigator', Object.create(window.navigator, { serviceWorker: { value: serviceWorker } }))
  vi.stubGlobal('PushManager', () => {})
  vi.stubGlobal('Notification', notification)
  return { subscribe, unsubscribe, register: serviceWorker.register, requestPermission: notification.requestPermission }
}

function openSection(devices: PushDevice[] | (() => PushDevice[]), routes = {}) {
  const list = () => succeeded({ public_key: PUBLIC_KEY, devices: typeof devices === 'function' ? devices() : devices })
  return openPart(() => <PushSection />, { routes: { 'GET /api/user/push': list, ...routes } })
}

const toggle = () => screen.findByRole('switch', { name: '在此设备上接收通知' })
const isOn = (control: HTMLElement) => control.getAttribute('aria-checked') === 'true'

describe('the state of push notifications', () => {
  it('is unsupported without the browser APIs, and other devices are listed', async () => {
    openSection([otherDevice])

    expect(await toggle()).toHaveProperty('disabled', true)
    expect(screen.getByText(/此浏览器不支持推送通知/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '移除 Safari · iPhone' })).toBeTruthy()
  })

  it('explains the home screen on an iPhone', async () => {
    vi.stubGlobal('navigator', Object.create(window.navigator, { userAgent: { value: IPHONE } }))
    openSection([])

    await screen.findByText(/请先将本站添加到主屏幕/)
  })

  it('is blocked when the browser denies the permission', async () => {
    const { requestPermission } = fakeBrowser({ permission: 'denied' })
    openSection([])

    expect(await toggle()).toHaveProperty('disabled', true)
    expect(screen.getByText(/浏览器已阻止本站的通知/)).toBeTruthy()
    expect(requestPermission).not.toHaveBeenCalled()
  })

  it('is off without a permission prompt, also when the server has no such subscription', async () => {
    const { requestPermission, register } = fakeBrowser({ permission: 'granted', isSubscribed: true })
    openSection([otherDevice])

    expect(isOn(await toggle())).toBe(false)
    expect(screen.queryByText('当前设备')).toBeNull()
    expect(requestPermission).not.toHaveBeenCalled()
    expect(register).not.toHaveBeenCalled()
  })

  it('is on for this device', async () => {
    fakeBrowser({ permission: 'granted', isSubscribed: true })
    openSection([aDevice({ last_success_at: '2026-11-16T08:00:00.000Z' }), otherDevice])

    expect(isOn(await toggle())).toBe(true)
    const [own, other] = screen.getAllByRole('listitem')
    expect(within(own!).getByText('Chrome · Windows')).toBeTruthy()
    expect(within(own!).getByText('当前设备')).toBeTruthy()
    expect(own!.textContent).toContain('最近一次通知')
    expect(within(other!).queryByText('当前设备')).toBeNull()
  })
})

describe('turning push notifications on', () => {
  it('requests the permission on click, subscribes and stores the subscription', async () => {
    const { subscribe, register } = fakeBrowser({})
    let devices: PushDevice[] = []
    const store = () => {
      devices = [aDevice()]
      return succeeded(aDevice())
    }
    const { sent } = openSection(() => devices, { [SUBSCRIBE]: store })

    fireEvent.click(await toggle())

    await waitFor(async () => expect(isOn(await toggle())).toBe(true))
    expect(register).toHaveBeenCalledWith('/push-worker.js')
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: Uint8Array.of(4, 0, 0) })
    expect(sent(SUBSCRIBE)[0]!.body).toEqual({ endpoint: ENDPOINT, keys: { p256dh: 'BA', auth: 'AQ' } })
  })

  it('changes nothing when the user denies the permission', async () => {
    const { subscribe } = fakeBrowser({ choice: 'denied' })
    const { sent } = openSection([])

    fireEvent.click(await toggle())

    await screen.findByText(/浏览器已阻止本站的通知/)
    expect(subscribe).not.toHaveBeenCalled()
    expect(sent(SUBSCRIBE)).toEqual([])
  })

  it('reports a browser that cannot subscribe', async () => {
    fakeBrowser({ subscribeError: new DOMException('no push service', 'AbortError') })
    openSection([])

    fireEvent.click(await toggle())

    await screen.findByText('浏览器无法开启推送通知，请稍后重试')
  })

  it('unsubscribes the browser when the server rejects it', async () => {
    const { unsubscribe } = fakeBrowser({})
    openSection([], { [SUBSCRIBE]: refused('push_limit', '最多 10 台设备可以接收推送通知，请先移除一台') })

    fireEvent.click(await toggle())

    await screen.findByText('最多 10 台设备可以接收推送通知，请先移除一台')
    expect(unsubscribe).toHaveBeenCalledOnce()
  })
})

describe('a device', () => {
  it('is turned off on the server and in the browser', async () => {
    const { unsubscribe } = fakeBrowser({ permission: 'granted', isSubscribed: true })
    let devices = [aDevice()]
    const remove = () => {
      devices = []
      return succeeded()
    }
    const { sent } = openSection(() => devices, { [REMOVE]: remove })

    fireEvent.click(await toggle())

    await waitFor(async () => expect(isOn(await toggle())).toBe(false))
    expect(sent(REMOVE)[0]!.query).toEqual({ id: '3' })
    expect(unsubscribe).toHaveBeenCalledOnce()
  })

  it('can be removed from another device', async () => {
    const { unsubscribe } = fakeBrowser({ permission: 'granted', isSubscribed: true })
    const { sent } = openSection([aDevice(), otherDevice], { [REMOVE]: succeeded() })
    await toggle()

    press('移除 Safari · iPhone')

    await screen.findByText('Safari · iPhone 不再接收通知')
    expect(sent(REMOVE)[0]!.query).toEqual({ id: '4' })
    expect(unsubscribe).not.toHaveBeenCalled()
  })

  it.each([
    [{ status: 'delivered' as const }, '已发送，通知很快会显示在此设备上'],
    [{ status: 'failed' as const, error: '对方返回 HTTP 503' }, '发送失败：对方返回 HTTP 503'],
  ])('receives a test notification: %o', async (result, text) => {
    fakeBrowser({ permission: 'granted', isSubscribed: true })
    const { sent } = openSection([aDevice()], { [TEST]: succeeded(aDelivery({ kind: 'push', ...result })) })
    await toggle()

    press('发送测试通知')

    await screen.findByText(text)
    expect(sent(TEST)[0]!.body).toEqual({ id: 3 })
  })
})
