import { describe, expect, it } from 'vitest'
import { chatLinks, hidesSidebar, sidebarSections } from './navigation.ts'

const all = { enable_data_export: true, enable_drawing: true, enable_task: true }
const none = { enable_data_export: false, enable_drawing: false, enable_task: false }
const keys = (...parameters: Parameters<typeof sidebarSections>) =>
  sidebarSections(...parameters).flatMap((section) => section.items.map((item) => item.key))

describe('the sidebar', () => {
  it('shows an administrator everything that is switched on', () => {
    expect(keys(all, { role: 10 })).toEqual([
      'dashboard',
      'tokens',
      'usageLogs',
      'drawingLogs',
      'taskLogs',
      'channels',
      'coupons',
      'orders',
      'messages',
      'users',
      'shadow',
      'settings',
      'wallet',
      'me',
    ])
  })

  it('shows the audit trail to the super admin only', () => {
    expect(keys(none, { role: 100 })).toContain('audit')
    expect(keys(none, { role: 10 })).not.toContain('audit')
  })

  it('shows prices to those who may set them', () => {
    expect(keys(none, { role: 100 })).toContain('prices')
    expect(keys(none, { role: 10, settings_areas: ['prices'] })).toContain('prices')
    expect(keys(none, { role: 10, settings_areas: ['groups'] })).not.toContain('prices')
  })

  it('shows shadow mode to administrators', () => {
    expect(sidebarSections(none, { role: 10 }).find(({ key }) => key === 'admin')?.items).toContainEqual({
      key: 'shadow',
      path: '/app/shadow',
    })
    expect(keys(all, { role: 1 })).not.toContain('shadow')
  })

  it('has no administration for ordinary users', () => {
    expect(sidebarSections(all, { role: 1 }).map((section) => section.key)).toEqual(['console', 'personal'])
  })

  it('leaves out what the site has switched off', () => {
    expect(keys(none, { role: 1 })).toEqual(['tokens', 'usageLogs', 'wallet', 'me'])
  })

  it.each(['/', '/home', '/setup', '/chat', '/chat/3', '/chat2link'])('is hidden on %s', (path) => {
    expect(hidesSidebar(path)).toBe(true)
  })

  it.each(['/app/tokens', '/pricing', '/chatty', '/setup-guide'])('is shown on %s', (path) => {
    expect(hidesSidebar(path)).toBe(false)
  })

  it('links the saved chats by their place in the list', () => {
    expect(chatLinks([{ Next: 'https://a.test' }, {}, { Lobe: 'https://b.test' }])).toEqual([
      { name: 'Next', path: '/chat/0' },
      { name: 'Lobe', path: '/chat/2' },
    ])
  })
})
