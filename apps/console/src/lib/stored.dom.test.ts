import { describe, expect, it, vi } from 'vitest'
import { aStatus, aUser } from '../../test/samples.ts'
import { stored, storeStatus } from './stored.ts'

describe('stored', () => {
  it('returns saved values', () => {
    stored.user.set(aUser({ id: 3 }))
    stored.pageSize.set(50)
    stored.collapseSidebar.set(true)
    stored.themeMode.set('dark')

    expect(stored.user.get()?.id).toBe(3)
    expect(stored.pageSize.get()).toBe(50)
    expect(stored.collapseSidebar.get()).toBe(true)
    expect(stored.themeMode.get()).toBe('dark')
  })

  it('returns null for missing and cleared items', () => {
    expect(stored.user.get()).toBeNull()

    stored.inviteCode.set('abcd')
    stored.inviteCode.clear()

    expect(stored.inviteCode.get()).toBeNull()
  })

  it.each([
    ['user', '{"id":', () => stored.user.get()],
    ['user', '"root"', () => stored.user.get()],
    ['user', '{"id":"1","username":"x","role":1}', () => stored.user.get()],
    ['status', '[]', () => stored.status.get()],
    ['chats', '{"a":1}', () => stored.chats.get()],
    ['page-size', '33', () => stored.pageSize.get()],
    ['quota_per_unit', '0', () => stored.quotaPerUnit.get()],
    ['theme-mode', 'sepia', () => stored.themeMode.get()],
    ['enable_task', '1', () => stored.enableTask.get()],
  ])('returns null for the item %s with the invalid value %s', (name, text, read) => {
    localStorage.setItem(name, text)

    expect(read()).toBeNull()
  })

  it('works without storage', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('quota')
    })
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied')
    })

    expect(() => stored.systemName.set('Harbour')).not.toThrow()
    expect(stored.systemName.get()).toBeNull()
  })
})

describe('the status', () => {
  it('is spread over the items that carry it, under their fixed names', () => {
    storeStatus(aStatus({ system_name: 'Harbour', enable_drawing: true, chats: [{ Chat: 'https://chat.test' }] }))

    expect(Object.fromEntries(Object.entries(localStorage))).toMatchObject({
      system_name: 'Harbour',
      logo: '/logo.png',
      footer_html: '',
      quota_per_unit: '500000',
      display_in_currency: 'true',
      enable_data_export: 'false',
      enable_drawing: 'true',
      enable_task: 'false',
      mj_notify_enabled: 'false',
      default_collapse_sidebar: 'false',
      chats: '[{"Chat":"https://chat.test"}]',
    })
    expect(stored.status.get()?.system_name).toBe('Harbour')
  })

  it('keeps the sidebar state of the user', () => {
    stored.collapseSidebar.set(true)

    storeStatus(aStatus({ default_collapse_sidebar: false }))

    expect(stored.collapseSidebar.get()).toBe(true)
  })
})
